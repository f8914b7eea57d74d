import { writeDebugId, MapError } from '@service/source-maps';
import type { CommandContext } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { printable } from '../printable.ts';
import { scriptsOf } from './upload.ts';

/**
 * Gives the scripts in folders debug ids. Scripts without a map stay unchanged. Once all scripts were tried, rejects
 * with the first MapError, or with a CommandError if no script has a map.
 */
export async function inject({ operands, output }: CommandContext): Promise<void> {
  const results: object[] = [];
  let isFound = false;
  let failure: MapError | null = null;
  for (const script of await scriptsOf(operands)) {
    const name = printable(script.name);
    try {
      const { debugId, isChanged } = await writeDebugId(script);
      isFound = true;
      results.push({ script: script.name, debug_id: debugId, changed: isChanged });
      output.line(`${name} ${output.paint('green', '✓')} ${debugId}${isChanged ? '' : ' · unchanged'}`);
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      const isPlain = script.map.kind === 'missing' && !script.map.isNamed;
      if (!isPlain) failure ??= error;
      results.push({ script: script.name, error: error.code });
      const [mark, text] = isPlain
        ? [output.paint('dim', '·'), 'no source map']
        : [output.paint('red', '✗'), printable(error.message)];
      output.line(`${name} ${mark} ${text}`);
    }
  }
  output.json({ results });
  if (failure) throw failure;
  if (!isFound) throw new CommandError('map_missing', 'No script has a source map. Build with source maps.');
}
