import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.ts';
import { backup, type FileOptions } from './backup.ts';
import { restore } from './restore.ts';

const commands = { backup, restore };

/** Does one of the commands beside the server itself, and tells what was done. */
export async function runCommand(rawArgs: string[]): Promise<void> {
  const [name = '', ...rest] = rawArgs;
  if (!Object.hasOwn(commands, name))
    throw new ConfigError(
      `There is no command ${JSON.stringify(name)}: ${Object.keys(commands).join(', ')}, or none to start the server (service-server --help tells more)`,
    );
  const { file, isForced, storage } = readArgs(name, rest);
  const config = await readConfig({ storage }, process.env, process.cwd());
  console.log(await commands[name as keyof typeof commands](config, { file, isForced }));
}

function readArgs(name: string, args: string[]): FileOptions & { storage: string | undefined } {
  const usage = `service-server ${name} FILE [--storage ADDRESS] [--force]`;
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { storage: { type: 'string' }, force: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    });
    const [file] = positionals;
    if (!file || positionals.length > 1) throw new Error(`${name} needs the name of one file`);
    return { file, isForced: values.force ?? false, storage: values.storage };
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('\n')[0]} (${usage})`, { cause: error });
  }
}
