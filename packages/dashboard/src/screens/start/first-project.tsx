import { EmailStatus } from '../../shell/email-status.tsx';
import { canWrite } from '../../session/permissions.ts';
import { NewProjectForm } from './new-project-form.tsx';

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
