import { parseArgs } from 'node:util';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { backup } from './backup.ts';
import { describeFingerprint } from './fingerprint.ts';
import { plan } from './plan.ts';
import { restore } from './restore.ts';

interface Command {
  operands: readonly string[];
  /** True if the command accepts `--force`. */
  acceptsForce: boolean;
  run(config: Config, operands: readonly string[], isForced: boolean): Promise<string>;
}

/** A command that uses neither storage nor settings. */
interface OfflineCommand {
  operands: readonly string[];
  runOffline(operands: readonly string[]): Promise<string>;
}

const commands: Record<string, Command | OfflineCommand> = {
  backup: {
    operands: ['FILE'],
    acceptsForce: true,
    run: (config, [file = ''], isForced) => backup(config, { file, isForced }),
  },
  restore: {
    operands: ['FILE'],
    acceptsForce: true,
    run: (config, [file = ''], isForced) => restore(config, { file, isForced }),
  },
  plan: {
    operands: ['TEAM', 'PLAN'],
    acceptsForce: false,
    run: (config, [team = '', planId = '']) => plan(config, team, planId),
  },
  fingerprint: {
    operands: ['FILE'],
    runOffline: ([file = '']) => describeFingerprint(file),
  },
};

/** Runs a command and prints its result. */
export async function runCommand(rawArgs: string[]): Promise<void> {
  const [name = '', ...rest] = rawArgs;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new ConfigError(
      `There is no command ${JSON.stringify(name)}: ${Object.keys(commands).join(', ')}, or none to start the server (see service-server --help)`,
    );
  const { operands, isForced, storage } = readArgs(name, command, rest);
  if ('runOffline' in command) return console.log(await command.runOffline(operands));
  const config = await readConfig({ storage }, process.env, process.cwd());
  console.log(await command.run(config, operands, isForced));
}

function readArgs(name: string, command: Command | OfflineCommand, args: string[]) {
  const { operands } = command;
  const usesStorage = !('runOffline' in command);
  const acceptsForce = usesStorage && command.acceptsForce;
  const usage = [
    'service-server',
    name,
    ...operands,
    ...(usesStorage ? ['[--storage ADDRESS]'] : []),
    ...(acceptsForce ? ['[--force]'] : []),
  ];
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        ...(usesStorage && { storage: { type: 'string' } }),
        ...(acceptsForce && { force: { type: 'boolean' } }),
      },
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
