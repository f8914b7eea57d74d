import type { Project } from '@service/protocol';
import { selectProject } from '@service/api-client';
import { confirm } from '../prompt.ts';
import type { CommandContext } from '../command.ts';
import { connect } from '../connect.ts';
import { printable } from '../printable.ts';

export async function listProjects(context: CommandContext): Promise<void> {
  const { output } = context;
  const projects = await (await connect(context)).call<Project[]>('GET', '/projects');
  output.json(projects);
  output.table(projects.map(({ id, name, api_key }) => [String(id), printable(name), api_key]));
  if (projects.length === 0) output.line('The team has no project. Create one with: service projects create NAME');
}

export async function createProject(context: CommandContext): Promise<void> {
  const { output, operands } = context;
  const api = await connect(context);
  const project = await api.call<Project>('POST', '/projects', { body: { name: operands[0] } });
  output.json(project);
  output.line(
    `Project ${project.id} ${JSON.stringify(printable(project.name))} is created. Start the SDK with its key:`,
  );
  output.line(`init({ apiKey: '${project.api_key}', endpoint: '${api.endpoint}' });`);
}

export async function rotateKey(context: CommandContext): Promise<void> {
  const { output, operands, options } = context;
  const api = await connect(context);
  const project = await selectProject(api, operands[0]);
  await confirm(`This stops the current key of ${JSON.stringify(printable(project.name))} at once.`, options.yes);
  const rotated = await api.call<{ api_key: string }>('POST', `/projects/${project.id}/api-key/rotate`);
  output.json(rotated);
  output.line(`The new key is ${rotated.api_key}`);
}
