import { Loaded } from '../../components/loaded.tsx';
import { DateTime } from '../../components/time.tsx';
import { useTitle } from '../../router/title.ts';
import { useProjects } from '../../session/projects.ts';
import { canWrite } from '../../session/permissions.ts';
import { FirstProject } from '../start/first-project.tsx';
import { NewProjectForm } from '../start/new-project-form.tsx';

/** All projects of the team. */
export function ProjectsScreen() {
  useTitle('Projects');
  const load = useProjects();
  if (load.value?.length === 0) return <FirstProject />;
  return (
    <main>
      <h1 tabIndex={-1}>Projects</h1>
      <Loaded load={load}>
        {(projects) => (
          <ul class="cards">
            {projects.map(({ id, name, created_at }) => (
              <li key={id}>
                <a class="name" href={`/?project=${id}`} dir="auto">
                  {name}
                </a>
                <span class="soft">
                  Created <DateTime at={created_at} />
                </span>
                <span>
                  <a href={`/projects/${id}/start`}>Setup guide</a>{' '}
                  <a href={`/projects/${id}/source-maps`}>Source maps</a>{' '}
                  <a href={`/projects/${id}/settings`}>Settings</a>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {canWrite() && (
        <section class="narrow">
          <h2>New project</h2>
          <NewProjectForm />
        </section>
      )}
    </main>
  );
}
