import type { Project } from '@service/protocol';
import { call } from '../../api/call.ts';
import { NameField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { go } from '../../router/address.ts';
import { loadProjects } from '../../session/projects.ts';

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
