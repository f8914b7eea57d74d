import { parseArgs } from 'node:util';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { backup } from './backup.ts';
import { describeFingerprint } from './fingerprint.ts';
import { plan } from './plan.ts';
import { restore } from './restore.ts';

interface Command {
  operands: readonly string[];
  /** Whether there is something that `--force` replaces. */
  replaces: boolean;
  run(config: Config, operands: readonly string[], isForced: boolean): Promise<string>;
}

/** One that needs neither storage nor settings, and works wherever it is called. */
interface OfflineCommand {
  operands: readonly string[];
  runOffline(operands: readonly string[]): Promise<string>;
}

const commands: Record<string, Command | OfflineCommand> = {
  backup: {
    operands: ['FILE'],
    replaces: true,
    run: (config, [file = ''], isForced) => backup(config, { file, isForced }),
  },
  restore: {
    operands: ['FILE'],
    replaces: true,
    run: (config, [file = ''], isForced) => restore(config, { file, isForced }),
  },
  plan: {
    operands: ['TEAM', 'PLAN'],
    replaces: false,
    run: (config, [team = '', planId = '']) => plan(config, team, planId),
  },
  fingerprint: {
    operands: ['FILE'],
    runOffline: ([file = '']) => describeFingerprint(file),
  },
};

/** Does one of the commands beside the server itself, and tells what was done. */
export async function runCommand(rawArgs: string[]): Promise<void> {
  const [name = '', ...rest] = rawArgs;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new ConfigError(
      `There is no command ${JSON.stringify(name)}: ${Object.keys(commands).join(', ')}, or none to start the server (service-server --help tells more)`,
    );
  const { operands, isForced, storage } = readArgs(name, command, rest);
  if ('runOffline' in command) return console.log(await command.runOffline(operands));
  const config = await readConfig({ storage }, process.env, process.cwd());
  console.log(await command.run(config, operands, isForced));
}

function readArgs(name: string, command: Command | OfflineCommand, args: string[]) {
  const { operands } = command;
  const stores = !('runOffline' in command);
  const replaces = stores && command.replaces;
  const usage = [
    'service-server',
    name,
    ...operands,
    ...(stores ? ['[--storage ADDRESS]'] : []),
    ...(replaces ? ['[--force]'] : []),
  ];
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...(stores && { storage: { type: 'string' } }), ...(replaces && { force: { type: 'boolean' } }) },
      allowPositionals: true,
      strict: true,
    });
    if (positionals.length !== operands.length || positionals.includes(''))
      throw new Error(`${name} needs ${operands.join(' and ')}`);
    return { operands: positionals, isForced: values.force === true, storage: values.storage as string | undefined };
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('\n')[0]} (${usage.join(' ')})`, { cause: error });
  }
}
