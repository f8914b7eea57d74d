import { Loaded } from '../../components/loaded.tsx';
import { At } from '../../components/time.tsx';
import { useProjects } from '../../session/projects.ts';
import { mayWrite } from '../../session/session.ts';
import { FirstProject, ProjectForm } from '../start/first-project.tsx';

/** All projects of the team. */
export function ProjectsScreen() {
  const load = useProjects();
  if (load.value?.length === 0) return <FirstProject />;
  return (
    <main>
      <h1 tabIndex={-1}>Projects</h1>
      <Loaded of={load}>
        {(known) => (
          <ul class="cards">
            {known.map(({ id, name, created_at }) => (
              <li key={id}>
                <a class="name" href={`/?project=${id}`} dir="auto">
                  {name}
                </a>
                <span class="soft">
                  since <At at={created_at} />
                </span>
                <span>
                  <a href={`/projects/${id}/start`}>First steps</a>{' '}
                  <a href={`/projects/${id}/source-maps`}>Source maps</a>{' '}
                  <a href={`/projects/${id}/settings`}>Settings</a>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {mayWrite() && (
        <section class="narrow">
          <h2>Another project</h2>
          <ProjectForm />
        </section>
      )}
    </main>
  );
}
