import { Failed, Waiting } from '../parts/loaded.tsx';
import { Day } from '../parts/time.tsx';
import { loadProjects, projects, projectsError } from '../session/projects.ts';
import { mayWrite } from '../session/session.ts';
import { FirstProject, ProjectForm } from '../start/first-project.tsx';

/** All projects of the team. */
export function ProjectsScreen() {
  const known = projects.value;
  if (known?.length === 0) return <FirstProject />;
  return (
    <main>
      <h1 tabIndex={-1}>Projects</h1>
      {!known && (projectsError.value ? <Failed error={projectsError.value} again={loadProjects} /> : <Waiting />)}
      {known && (
        <ul class="cards">
          {known.map(({ id, name, created_at }) => (
            <li key={id}>
              <a class="name" href={`/?project=${id}`} dir="auto">
                {name}
              </a>
              <span class="soft">
                since <Day at={created_at} />
              </span>
              <nav aria-label={`Of ${name}`}>
                <a href={`/projects/${id}/start`}>First steps</a>
                <a href={`/projects/${id}/source-maps`}>Source maps</a>
                <a href={`/projects/${id}/settings`}>Settings</a>
              </nav>
            </li>
          ))}
        </ul>
      )}
      {known && mayWrite() && (
        <section class="narrow">
          <h2>Another project</h2>
          <ProjectForm />
        </section>
      )}
    </main>
  );
}
