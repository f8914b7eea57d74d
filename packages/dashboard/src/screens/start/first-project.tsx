import type { Project } from '@service/protocol';
import { call } from '../../api/call.ts';
import { NameField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { go } from '../../router/address.ts';
import { loadProjects } from '../../session/projects.ts';
import { EmailStatus } from '../../shell/email-status.tsx';
import { canWrite } from '../../session/session.ts';

/** Replaces every screen that needs a project, until the team has one. */
export function FirstProject() {
  return (
    <main class="narrow">
      <h1 tabIndex={-1}>Welcome</h1>
      <EmailStatus />
      {canWrite() ? (
        <>
          <p>A project collects the errors of one web app. Create your first project.</p>
          <NewProjectForm />
        </>
      ) : (
        <p>There are no projects yet. Ask a member of your team to create one.</p>
      )}
    </main>
  );
}

export function NewProjectForm() {
  return (
    <Form<'name'>
      submit="Create project"
      onSubmit={async ({ name }) => {
        const project = await call<Project>('POST', '/projects', { name });
        await loadProjects();
        go(`/projects/${project.id}/start`);
      }}
    >
      <NameField label="Project name" />
    </Form>
  );
}
