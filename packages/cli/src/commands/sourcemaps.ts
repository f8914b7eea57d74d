import type { ListedSourceMap, Page } from '@service/protocol';
import { ApiError, type ApiClient } from '@service/api-client';
import { uploadCommand } from '@service/source-maps';
import { confirm } from '../prompt.ts';
import type { CommandContext } from '../command.ts';
import { connect } from '../connect.ts';
import { selectCommandProject } from '../select-command-project.ts';
import { CommandError } from '../command-error.ts';
import { printable } from '../printable.ts';

export async function listMaps(context: CommandContext): Promise<void> {
  const { output, options } = context;
  const api = await connect(context);
  const project = await selectCommandProject(api, context);
  const maps = await readMaps(api, project.id, options.release);
  output.json(maps);
  output.table(
    maps.map(({ id, file, release, debug_id, sources, last_used_at }) => [
      String(id),
      printable(file),
      printable(release ?? '-'),
      debug_id ?? '-',
      count(sources, 'source'),
      last_used_at === null ? 'never used' : `used ${last_used_at}`,
    ]),
  );
  if (maps.length === 0) output.line(`No source map was found. Upload with: ${uploadCommand('DIR')}`);
}

export async function deleteMaps(context: CommandContext): Promise<void> {
  const { output, options, operands } = context;
  if (operands.length > 0 === (options.release !== undefined))
    throw new CommandError('usage', 'Expected ids of source maps, or --release');
  const ids = operands.map(readMapId);
  const api = await connect(context);
  const project = await selectCommandProject(api, context);
  if (options.release !== undefined)
    ids.push(...(await readMaps(api, project.id, options.release)).map(({ id }) => id));
  if (ids.length === 0) throw new CommandError('nothing_found', 'The release has no source maps.');
  await confirm(
    `This deletes ${count(ids.length, 'source map')} of ${JSON.stringify(printable(project.name))}.`,
    options.yes,
  );
  let deleted = 0;
  for (const id of ids) if (await deleteMap(api, project.id, id, operands.length > 0)) deleted++;
  output.json({ deleted });
  output.line(`${deleted} deleted.`);
}

const count = (number: number, name: string): string => `${number} ${name}${number === 1 ? '' : 's'}`;

/** Returns false if the map was found by its release, and another client has deleted it since. */
async function deleteMap(api: ApiClient, projectId: number, id: number, isNamed: boolean): Promise<boolean> {
  try {
    await api.call('DELETE', `/projects/${projectId}/source-maps/${id}`);
    return true;
  } catch (error) {
    if (!isNamed && error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

async function readMaps(api: ApiClient, projectId: number, release: string | undefined): Promise<ListedSourceMap[]> {
  const maps: ListedSourceMap[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = { release, page, size: 100 };
    const found = await api.call<Page<ListedSourceMap>>('GET', `/projects/${projectId}/source-maps`, { query });
    maps.push(...found.items);
    pages = found.pages;
  }
  return maps;
}

function readMapId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CommandError('usage', 'Expected ids of source maps, such as 3');
  return Number(text);
}
