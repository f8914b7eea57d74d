import type { Project } from '@service/protocol';
import { call } from '../../api/call.ts';
import { Snippet } from '../../components/snippet.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { confirmAction } from '../../components/confirmation-dialog.tsx';
import { DateTime } from '../../components/time.tsx';
import { showToast } from '../../components/toast.tsx';
import { NameField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { go } from '../../router/address.ts';
import { loadProjects, projects } from '../../session/projects.ts';
import { canWrite } from '../../session/permissions.ts';
import { DroppedItems } from './dropped-items.tsx';
import { snippets } from '../start/snippets.ts';
import { useDsn } from '../start/use-dsn.ts';

const projectDeletionWarning = 'Its errors, reports, source maps and key are deleted. This can’t be undone.';

export function ProjectSettings({ project }: { project: Project }) {
  const { id, name, api_key, created_at } = project;
  const dsn = useDsn(project);
  return (
    <div class="sections">
      <section>
        <Form<'name'>
          submit="Rename"
          class="row"
          disabled={!canWrite()}
          onSubmit={async (values) => {
            await call('PUT', `/projects/${id}`, { name: values.name });
            await loadProjects();
            showToast('Project renamed.');
          }}
        >
          <NameField label="Project name" defaultValue={name} />
        </Form>
        <p class="soft">
          Project #{id}, created <DateTime at={created_at} time="short" />
        </p>
      </section>
      <section>
        <hgroup>
          <h2>API key</h2>
          <p>This key can only send reports, so it is safe to publish.</p>
        </hgroup>
        <Snippet text={api_key} name="API key" />
        {canWrite() && <button onClick={() => rotateKey(id)}>Rotate the key</button>}
      </section>
      <section>
        <hgroup>
          <h2>DSN</h2>
          <p>For apps with an SDK of Sentry: replace its DSN by this one. It changes with the API key.</p>
        </hgroup>
        <Snippet text={dsn} name="DSN" />
        <DroppedItems projectId={id} />
      </section>
      <section>
        <h2>SDK setup</h2>
        <Snippet text={snippets.npm(project)} name="Code that starts the SDK" />
      </section>
      {canWrite() && (
        <section>
          <hgroup>
            <h2>Delete the project</h2>
            <p>{projectDeletionWarning}</p>
          </hgroup>
          <DeleteButton name={name} path={`/projects/${id}`} warning={projectDeletionWarning} onDeleted={leave} />
        </section>
      )}
    </div>
  );
}

function rotateKey(id: number): void {
  confirmAction({
    title: 'Rotate the key?',
    text: 'The old key stops working immediately. Errors on pages that still use it are lost until you deploy the new key.',
    action: 'Rotate and revoke the old key',
    done: 'Key rotated. Deploy the new key: the old one is rejected.',
    async run() {
      const keys = await call<Pick<Project, 'api_key'>>('POST', `/projects/${id}/api-key/rotate`);
      projects.value = projects.value?.map((other) => (other.id === id ? { ...other, ...keys } : other));
    },
  });
}

function leave(): void {
  go('/projects');
  void loadProjects();
}
