import type { Project } from '@service/protocol';
import { call } from '../api/call.ts';
import { Form, Field } from '../parts/form.tsx';
import { go } from '../router/address.ts';
import { mayWrite } from '../session/session.ts';
import { loadProjects } from '../session/projects.ts';

/** Where there is no project yet, it comes before everything else. */
export function FirstProject() {
  return (
    <main class="narrow">
      <h1 tabIndex={-1}>Welcome</h1>
      {mayWrite() ? (
        <>
          <p>A project is a web app whose errors are collected here. Which one is the first?</p>
          <ProjectForm />
        </>
      ) : (
        <p>There is no project yet. A member of the team has to make one.</p>
      )}
    </main>
  );
}

export function ProjectForm() {
  return (
    <Form
      submit="Create project"
      run={async ({ name }) => {
        const project = await call<Project>('POST', '/projects', { name });
        await loadProjects();
        go(`/projects/${project.id}/start`);
      }}
    >
      <Field label="Name of the app">
        <input name="name" autocomplete="off" maxLength={200} required />
      </Field>
    </Form>
  );
}
