import type { Project } from '@service/protocol';
import { call } from '../../api/call.ts';
import { Form } from '../../components/form.tsx';
import { Prose } from '../../components/prose.tsx';
import { go } from '../../router/address.ts';
import { mayWrite } from '../../session/session.ts';
import { loadProjects } from '../../session/projects.ts';

/** Where there is no project yet, it comes before everything else. */
export function FirstProject() {
  return (
    <main class="narrow">
      <h1 tabIndex={-1}>Welcome</h1>
      <Prose id={mayWrite() ? 'first-project' : 'no-project'} />
      {mayWrite() && <ProjectForm />}
    </main>
  );
}

export function ProjectForm() {
  return (
    <Form
      fields="project"
      submit="Create project"
      run={async ({ name }) => {
        const project = await call<Project>('POST', '/projects', { name });
        await loadProjects();
        go(`/projects/${project.id}/start`);
      }}
    />
  );
}
