import { parseArgs } from 'node:util';
import { optionTypes, type Command, type OptionName, type Options } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit-codes.ts';
import { CommandError } from './command-error.ts';
import { Output } from './output.ts';
import { printable } from './printable.ts';

/** Runs a command line, and resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const positions = positionsOfWords(args);
  const words = positions.map((position) => args[position] as string);
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => Object.hasOwn(commands, one));
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
  if (args.includes('--version') || args.includes('-v') || isHelp || args.length === 0) {
    const { printHelp, printVersion } = await import('./help.ts');
    await (isHelp || args.length === 0 ? printHelp(name ?? null, words[0] ?? null) : printVersion());
    return args.length === 0 ? exitCodes.usage : exitCodes.ok;
  }
  const output = new Output(args.includes('--json'), process.env);
  try {
    if (name === undefined) throw unknownCommand(words);
    const command = commands[name] as Command;
    const nameAt = new Set(positions.slice(0, name.split(' ').length));
    const { operands, options } = readArguments(
      name,
      command,
      args.filter((_, at) => !nameAt.has(at)),
    );
    const run = await command.load();
    await run({ operands, options, env: process.env, output });
    return exitCodes.ok;
  } catch (error) {
    const { printError } = await import('./print-error.ts');
    return printError(error, output, process.env);
  }
}

function unknownCommand(words: readonly string[]): CommandError {
  const group = Object.keys(commands).filter((name) => name.startsWith(`${words[0]} `));
  const known = group.length > 0 ? group : Object.keys(commands);
  const name = JSON.stringify(printable(words.slice(0, group.length > 0 ? 2 : 1).join(' ')));
  return new CommandError('usage', `There is no command ${name}. Commands: ${known.join(', ')}. See service --help.`);
}

/** Returns the indexes of the arguments that are neither options nor their values. Options can precede the command. */
function positionsOfWords(args: readonly string[]): number[] {
  return [...args.keys()].filter((at) => !args[at]?.startsWith('-') && !takesValue(args[at - 1]));
}

function takesValue(arg = ''): boolean {
  const name = arg.slice('--'.length) as OptionName;
  return arg.startsWith('--') && Object.hasOwn(optionTypes, name) && optionTypes[name].type === 'string';
}

/**
 * Parses the arguments of a command. Throws a CommandError if an option is unknown or empty, an operand is empty, or
 * the number of operands is wrong: a mistyped option must not be ignored.
 */
function readArguments(
  name: string,
  { operands: names = [], options: accepted = [] }: Command,
  args: string[],
): { operands: string[]; options: Options } {
  const usage = ['service', name, ...names, ...accepted.map((option) => `[${usageOf(option)}]`)].join(' ');
  try {
    const { values, positionals } = parseArgs({
      args,
      options: Object.fromEntries(
        [...accepted, 'json' as const].map((option) => [option, { type: optionTypes[option].type }]),
      ),
      allowPositionals: true,
      strict: true,
    });
    const required = names.filter((one) => !one.startsWith('[')).length;
    const isOpen = names.at(-1)?.includes('…');
    if (positionals.length < required || (!isOpen && positionals.length > names.length) || positionals.includes(''))
      throw new Error(names.length === 0 ? 'No operand is expected' : `Expected ${names.join(' ')}`);
    // A variable of a script that is not set must not count as a value.
    const empty = Object.entries(values).find(([, value]) => value === '');
    if (empty) throw new Error(`--${empty[0]} is empty`);
    return { operands: positionals, options: values as Options };
  } catch (error) {
    const [message = ''] = (error as Error).message.split(/\. |\n/);
    throw new CommandError('usage', `${message}. Usage: ${usage}`);
  }
}

function usageOf(name: OptionName): string {
  const { hint } = optionTypes[name];
  return hint ? `--${name} ${hint}` : `--${name}`;
}

// A reader that ends early, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
