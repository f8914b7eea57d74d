import type { Project } from '@service/protocol';
import { call } from '../../api/call.ts';
import { Snippet } from '../../components/copy.tsx';
import { ask } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { say } from '../../components/toast.tsx';
import { Prose, textOf } from '../../components/prose.tsx';
import { Remove } from '../../components/delete-button.tsx';
import { At } from '../../components/time.tsx';
import { go } from '../../router/address.ts';
import { loadProjects, projects } from '../../session/projects.ts';
import { mayWrite } from '../../session/session.ts';
import { snippet } from '../start/setup-guide.tsx';

export function ProjectSettings({ project }: { project: Project }) {
  const { id, name, api_key, created_at } = project;
  return (
    <div class="sections">
      <section>
        <Form
          fields="project"
          values={{ name }}
          submit="Rename"
          class="row"
          disabled={!mayWrite()}
          run={async (values) => {
            await call('PUT', `/projects/${id}`, { name: values.name });
            await loadProjects();
            say('The project is renamed.');
          }}
        />
        <p class="soft">
          Project #{id}, since <At at={created_at} time="short" />
        </p>
      </section>
      <section>
        <Prose id="key" />
        <Snippet text={api_key} name="Project key" />
        {mayWrite() && <button onClick={() => rotate(id)}>Rotate the key</button>}
      </section>
      <section>
        <h2>Snippet</h2>
        <Snippet text={snippet(project)} name="Code that starts the SDK" />
      </section>
      {mayWrite() && (
        <section>
          <Prose id="delete" />
          <Remove what={name} path={`/projects/${id}`} text="delete-project" then={leave} />
        </section>
      )}
    </div>
  );
}

function rotate(id: number): void {
  ask({
    title: 'Rotate the key?',
    text: textOf('rotate'),
    action: 'Rotate, and stop the old key',
    done: textOf('rotated'),
    async run() {
      const { api_key } = await call<{ api_key: string }>('POST', `/projects/${id}/api-key/rotate`);
      projects.value = projects.value?.map((other) => (other.id === id ? { ...other, api_key } : other));
    },
  });
}

function leave(): void {
  go('/projects');
  void loadProjects();
}
