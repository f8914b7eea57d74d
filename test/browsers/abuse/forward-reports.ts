import type { ErrorReport } from '../../../packages/browser/src/index.ts';
import type { ServerProcess } from '../../test-utils/server-process.ts';
import type { TestContext } from '../test-context.ts';

const projectKeys = new WeakMap<ServerProcess, Promise<string>>();

/** Passes each report on to a running server, whose status is the response. Returns all statuses. */
export async function forwardReports({ sink, server }: TestContext): Promise<number[]> {
  const running = await server();
  const key = projectKeys.get(running) ?? createProject(running);
  projectKeys.set(running, key);
  const project_api_key = await key;
  const statuses: number[] = [];
  sink.response = async (index) => {
    const report = JSON.parse(sink.posts()[index]?.body ?? '') as ErrorReport;
    const { status } = await fetch(`${running.url}/api/v1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...report, project_api_key }),
    });
    statuses.push(status);
    return { status };
  };
  return statuses;
}

async function createProject(server: ServerProcess): Promise<string> {
  const { body } = await server.call('POST', 'projects', { name: 'Pages under abuse' });
  return String(body.api_key);
}
