import { useSignal } from '@preact/signals';
import type { Project } from '@service/protocol';
import { call, explain } from '../api/call.ts';
import { Snippet } from '../parts/copy.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Field, Form } from '../parts/form.tsx';
import { say } from '../parts/notice.tsx';
import { At } from '../parts/time.tsx';
import { go } from '../router/address.ts';
import { loadProjects, projects } from '../session/projects.ts';
import { mayWrite } from '../session/session.ts';
import { ways } from '../start/ways.ts';

export function ProjectSettings({ project }: { project: Project }) {
  const { id, name, api_key, created_at } = project;
  return (
    <div class="sections">
      <section>
        <h2>Name</h2>
        <Form
          submit="Rename"
          isPrimary={false}
          class="row"
          disabled={!mayWrite()}
          run={async (values) => {
            await call('PUT', `/projects/${id}`, { name: values.name });
            await loadProjects();
            say('The project is renamed.');
          }}
        >
          <Field label="Name of the app">
            <input name="name" defaultValue={name} maxLength={200} autocomplete="off" required readOnly={!mayWrite()} />
          </Field>
        </Form>
        <p class="soft">
          Project #{id}, since <At at={created_at} />
        </p>
      </section>
      <section>
        <h2>Key</h2>
        <p>It can only send reports, so it may stand in a web page.</p>
        <Snippet text={api_key} name="Project key" />
        {mayWrite() && <Rotate project={project} />}
      </section>
      <section>
        <h2>Snippet</h2>
        <Snippet text={ways[0].code(api_key, location.origin)} name="Code that starts the SDK" />
      </section>
      {mayWrite() && <Remove project={project} />}
    </div>
  );
}

function Rotate({ project: { id } }: { project: Project }) {
  const isAsking = useSignal(false);
  const rotate = async (): Promise<void> => {
    try {
      const { api_key } = await call<{ api_key: string }>('POST', `/projects/${id}/api-key/rotate`);
      projects.value = projects.value?.map((other) => (other.id === id ? { ...other, api_key } : other));
      say('The key is new. Deploy it: the old one is refused from now on.');
    } catch (error) {
      say(explain(error), true);
    }
  };
  return (
    <>
      <button type="button" onClick={() => (isAsking.value = true)}>
        Rotate the key
      </button>
      {isAsking.value && (
        <Confirm
          title="Rotate the key?"
          action="Rotate, and stop the old key"
          close={() => (isAsking.value = false)}
          run={rotate}
        >
          <p>
            <b>The old key stops now.</b> Every page that still has it is refused with 401, and what fails there is not
            reported until the new key is deployed.
          </p>
        </Confirm>
      )}
    </>
  );
}

function Remove({ project: { id, name } }: { project: Project }) {
  const isAsking = useSignal(false);
  const remove = async (): Promise<void> => {
    try {
      await call('DELETE', `/projects/${id}`);
      go('/projects');
      await loadProjects();
      say('The project is deleted.');
    } catch (error) {
      say(explain(error), true);
    }
  };
  return (
    <section>
      <h2>Delete</h2>
      <p>With its errors, reports, source maps and its key. Nobody can bring them back.</p>
      <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
        Delete the project
      </button>
      {isAsking.value && (
        <Confirm title={`Delete ${name}?`} action="Delete for good" close={() => (isAsking.value = false)} run={remove}>
          <p>All of its errors and reports are gone then, and its key is refused.</p>
        </Confirm>
      )}
    </section>
  );
}
