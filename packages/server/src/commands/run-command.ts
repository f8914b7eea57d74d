import { parseArgs } from 'node:util';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { assertBackupFormat, backup } from './backup.ts';
import { describeFingerprint } from './describe-fingerprint.ts';
import type { AdministrationName } from './administer.ts';
import { assignPlan } from './assign-plan.ts';
import { runAdministration } from './run-administration.ts';
import { restore } from './restore.ts';

interface CommandFlags {
  given: ReadonlySet<Switch>;
  /** The text after `--format`, not validated. */
  format: string | undefined;
}

interface Command {
  operands: readonly string[];
  /** The switches that the command accepts. */
  switches: readonly Switch[];
  /** True if the command accepts `--format`. */
  acceptsFormat?: boolean;
  run(config: Config, operands: readonly string[], flags: CommandFlags): Promise<string>;
}

type Switch = 'force' | 'without-secrets' | 'end-sessions';

/** A command that uses neither storage nor settings. */
interface OfflineCommand {
  operands: readonly string[];
  runOffline(operands: readonly string[]): Promise<string>;
}

const commands: Record<string, Command | OfflineCommand> = {
  backup: {
    operands: ['FILE'],
    switches: ['force', 'without-secrets'],
    acceptsFormat: true,
    run: (config, [file = ''], { given, format }) => {
      assertBackupFormat(format);
      return backup(config, { file, isForced: given.has('force'), withoutSecrets: given.has('without-secrets') });
    },
  },
  restore: {
    operands: ['FILE'],
    switches: ['force', 'end-sessions'],
    run: (config, [file = ''], { given }) =>
      restore(config, { file, isForced: given.has('force'), endsSessions: given.has('end-sessions') }),
  },
  plan: {
    operands: ['TEAM', 'PLAN'],
    switches: [],
    run: (config, [team = '', planId = '']) => assignPlan(config, team, planId),
  },
  teams: administration('teams'),
  disable: administration('disable', 'TEAM'),
  enable: administration('enable', 'TEAM'),
  'reset-password': administration('reset-password', 'EMAIL'),
  'end-sessions': administration('end-sessions'),
  'rotate-key': administration('rotate-key'),
  fingerprint: {
    operands: ['FILE'],
    runOffline: ([file = '']) => describeFingerprint(file),
  },
};

function administration(name: AdministrationName, ...operands: string[]): Command {
  return { operands, switches: [], run: (config, [operand]) => runAdministration(config, name, operand) };
}

/** Runs a command and prints its result. */
export async function runCommand(rawArgs: string[]): Promise<void> {
  const [name = '', ...rest] = rawArgs;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new ConfigError(
      `There is no command ${JSON.stringify(name)}. Commands: ${Object.keys(commands).join(', ')}. Without one, the server starts (see service-server --help)`,
    );
  const { operands, given, format, storage } = readArgs(name, command, rest);
  if ('runOffline' in command) return console.log(await command.runOffline(operands));
  const config = await readConfig({ storage }, process.env, process.cwd());
  console.log(await command.run(config, operands, { given, format }));
}

function readArgs(name: string, command: Command | OfflineCommand, args: string[]) {
  const { operands } = command;
  const usesStorage = !('runOffline' in command);
  const switches = usesStorage ? command.switches : [];
  const acceptsFormat = usesStorage && command.acceptsFormat === true;
  const usage = [
    'service-server',
    name,
    ...operands,
    ...(usesStorage ? ['[--storage ADDRESS]'] : []),
    ...switches.map((one) => `[--${one}]`),
    ...(acceptsFormat ? ['[--format N]'] : []),
  ];
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        ...(usesStorage && { storage: { type: 'string' } }),
        ...Object.fromEntries(switches.map((one) => [one, { type: 'boolean' as const }])),
        ...(acceptsFormat && { format: { type: 'string' as const } }),
      },
      allowPositionals: true,
      strict: true,
    });
    if (positionals.length !== operands.length || positionals.includes(''))
      throw new Error(`${name} needs ${operands.join(' and ') || 'no operand'}`);
    const { format, storage, ...flags } = values as Partial<Record<string, string | boolean>>;
    return {
      operands: positionals,
      given: new Set(switches.filter((one) => flags[one] === true)),
      format: format as string | undefined,
      storage: storage as string | undefined,
    };
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('\n')[0]} (${usage.join(' ')})`, { cause: error });
  }
}
