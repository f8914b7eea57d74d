import { stripVTControlCharacters } from 'node:util';
import { defineCommand, renderUsage, type CommandDef } from 'citty';
import { operandTexts, optionTypes, type Command } from './command.ts';
import { commands } from './commands.ts';
import { readVersion } from './version.ts';
import { exitCodes, exitCodeTexts, type ExitCodeName } from './exit-codes.ts';

export async function printVersion(): Promise<void> {
  print(readVersion());
}

/** Prints the help of a command, of a group of commands, or of the program. */
export async function printHelp(name: string | null, group: string | null): Promise<void> {
  const found = name === null ? undefined : commands[name];
  if (name !== null && found) return print(await renderUsage(describe(name, found)));
  const members = Object.entries(commands).filter(([one]) => group === null || one.startsWith(`${group} `));
  const listed = members.length > 0 ? members : Object.entries(commands);
  const program = defineCommand({
    meta: {
      name: 'service',
      version: readVersion(),
      description: 'Uploads source maps and proves that they work, and finds what keeps errors from arriving',
    },
    subCommands: Object.fromEntries(listed.map(([one, command]) => [one, describe(one, command)])),
  });
  const usage = await renderUsage(program);
  // All commands in one line are hard to read; the list follows.
  const prefix = group === null || members.length === 0 ? '' : `${group} `;
  print(usage.replace(/(?<=service )[\w -]+(?:\|[\w -]+)+/, `${prefix}COMMAND [OPTIONS]`));
  print(`EXIT CODES\n\n${exitCodeLines().join('\n')}\n`);
}

function describe(name: string, { summary, operands = [], options = [], optionTexts = {} }: Command): CommandDef {
  return {
    meta: { name: `service ${name}`, description: summary },
    args: {
      ...Object.fromEntries(
        operands.map((operand) => [
          operand.replaceAll(/[[\]]/g, '').toLowerCase(),
          { type: 'positional' as const, required: !operand.startsWith('['), description: operandTexts[operand] },
        ]),
      ),
      ...Object.fromEntries(
        [...options, 'json' as const].map((option) => {
          const { type, hint, text } = optionTypes[option];
          return [option, { type, description: optionTexts[option] ?? text, ...(hint && { valueHint: hint }) }];
        }),
      ),
    },
  };
}

function exitCodeLines(): string[] {
  return Object.entries(exitCodeTexts).map(
    ([name, text]) => `  ${String(exitCodes[name as ExitCodeName]).padStart(2)}  ${text}`,
  );
}

function print(text: string): void {
  const aligned = text.replaceAll(/ +$/gm, '');
  process.stdout.write(
    `${process.stdout.isTTY && !process.env.NO_COLOR ? aligned : stripVTControlCharacters(aligned)}\n`,
  );
}
