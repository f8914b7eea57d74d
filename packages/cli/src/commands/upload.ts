import {
  detectRelease,
  findScripts,
  uploadMaps,
  type MapErrorCode,
  type Script,
  type UploadResult,
} from '@service/source-maps';
import type { CommandContext } from '../command.ts';
import { connect, patientDelaysMs } from '../connect.ts';
import { selectCommandProject } from '../select-command-project.ts';
import { CommandError } from '../command-error.ts';
import type { Output } from '../output.ts';
import { printable } from '../printable.ts';

/** Uploads the maps of folders, and proves each. Rejects with the first problem once all maps were tried. */
export async function upload(context: CommandContext): Promise<void> {
  const { operands, options, env, output } = context;
  const urlPrefix = readUrlPrefix(options['dist-url'] ?? '~/');
  const scripts = await scriptsOf(operands);
  const release = options.release ?? detectRelease(env, process.cwd());
  const api = await connect(context, patientDelaysMs, (reason) => output.note(`${printable(reason)} Trying again…`));
  const project = await selectCommandProject(api, context);
  let done = 0;
  output.progress(0, scripts.length);
  const results = await uploadMaps(api, scripts, {
    projectId: project.id,
    release,
    urlPrefix,
    onResult: (result) => {
      output.line(lineOf(result, output));
      output.progress(++done, scripts.length);
    },
  });
  const failed = results.filter((result) => result.status === 'failed');
  output.json({ project: project.id, release, results: results.map(toJson) });
  const [first] = failed;
  if (first) throw new CommandError(first.code, failureOf(first.code, failed.length, results.length));
  const proven = results.filter(isProven).length;
  if (proven === 0) throw new CommandError('map_missing', 'No script has a source map. Build with source maps.');
  const unchanged = results.filter(({ status }) => status === 'unchanged').length;
  const uploaded = `${proven - unchanged} uploaded, ${unchanged} unchanged, all proven`;
  output.line(
    `${uploaded}. Project ${printable(project.name)}, ${release === null ? 'no release: no commit was found. Set --release or SERVICE_RELEASE' : `release ${printable(release)}`}.`,
  );
}

/** Returns the prefix of the URLs of scripts. A path means any host. Throws a CommandError for any other text. */
function readUrlPrefix(text: string): string {
  if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text;
  if (/^~?\//.test(text)) return text.replace(/^\//, '~/');
  throw new CommandError('usage', '--dist-url must be a URL such as https://cdn.example/app/, or a path such as /app/');
}

/** Returns the scripts in folders. Rejects with a CommandError if a path can't be read or no script is in them. */
export async function scriptsOf(paths: readonly string[]): Promise<Script[]> {
  const scripts = await findScripts(paths).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError('nothing_found', `${error.path ?? 'The folder'} cannot be read (${error.code}).`);
  });
  if (scripts.length === 0)
    throw new CommandError(
      'nothing_found',
      `No scripts are in ${paths.join(', ')}. Is it the folder that the build writes?`,
    );
  return scripts;
}

function isProven({ status }: UploadResult): boolean {
  return status === 'uploaded' || status === 'unchanged';
}

function lineOf(result: UploadResult, output: Output): string {
  const name = printable(result.script.name);
  if (result.status === 'failed') return `${name} ${output.paint('red', '✗')} ${printable(result.reason)}`;
  if (result.status === 'without_map') return `${name} ${output.paint('dim', '·')} no source map`;
  if (result.status === 'without_sources') return `${name} ${output.paint('dim', '·')} no sources: generated code`;
  const { file, line, sources } = result.proof;
  const count = `${sources} ${sources === 1 ? 'source' : 'sources'}`;
  const unchanged = result.status === 'unchanged' ? ' · unchanged' : '';
  return `${name} ${output.paint('green', '✓')} ${printable(file)}:${line} · ${count}${unchanged}`;
}

function failureOf(code: MapErrorCode, failed: number, total: number): string {
  const steps: Record<MapErrorCode, string> = {
    map_missing: 'Upload before the maps are removed.',
    map_unreadable: 'Build again.',
    sources_missing: 'Set the option of the bundler that includes the sources (sourcesContent).',
    other_build: 'Remove the folder, build again, and upload all of it.',
    map_rejected: 'The line above has the reason of the server.',
    not_proven: 'The line above has the reason. List the uploaded maps with: service sourcemaps list',
  };
  return `${failed} of ${total} scripts ${failed === 1 ? 'has' : 'have'} no working source map. ${steps[code]}`;
}

function toJson(result: UploadResult): object {
  const { script, ...rest } = result;
  return { script: script.name, ...rest };
}
