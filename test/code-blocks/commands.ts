import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../packages/cli/src/commands.ts';
import { operations } from '../../packages/protocol/src/operations/index.ts';
import { root } from './blocks.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Programs of other projects, whose arguments are not checked. */
const foreign = new Set(
  'body= cd cut date docker export find git hmac= journalctl next ng node npx openssl pip printf python3 sentry-cli systemctl tar time='.split(
    ' ',
  ),
);

/** Returns the commands of a script for a shell, without comments and variables. */
export function commandsOf(script: string): string[] {
  return script
    .replaceAll('\\\n', ' ')
    .replaceAll(/(^|\s)#.*$/gm, '')
    .replaceAll(/'[^']*'/g, (text) => text.replaceAll('\n', ' '))
    .split(/\n|\s\|\s|&&/)
    .map((command) => command.trim().replace(/^(?:[A-Z_]+=(?:'[^']*'|\S*)\s*)+/, ''))
    .filter(Boolean);
}

/** Returns what is wrong with a command: a name, flag, script or path that does not exist. Null if nothing is. */
export function problemOf(command: string): string | null {
  const [program = '', ...words] = command.split(/\s+/);
  const [verb = ''] = words;
  if (program === 'service') return problemOfCli(words);
  if (program === 'service-server') return problemOfServer(words);
  if (program === 'npm') return problemOfNpm(words);
  if (program === 'pnpm') return verb === 'install' || verb in scripts ? null : `no script ${verb}`;
  if (program === 'curl') return problemOfCurl(command);
  return foreign.has(program.replace(/=.*/, '=')) ? null : `unknown program ${program}`;
}

const flagsIn = (words: string[]): string[] =>
  words.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/, ''));

function problemOfCli(words: string[]): string | null {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => Object.hasOwn(commands, one));
  if (!name) return words.length === 0 ? null : `service has no command ${words[0]}`;
  const options = new Set(['json', 'help', ...(commands[name]?.options ?? [])].map((option) => `--${option}`));
  const unknown = flagsIn(words).find((flag) => !options.has(flag));
  return unknown ? `service ${name} has no ${unknown}` : null;
}

const helpTexts = new Map<string, string>();

/** Returns the output of `service-server COMMAND --help`. */
function serverHelp(command: string[]): string {
  const key = command.join(' ');
  const bin = join(root, 'packages/server/bin/service-server.js');
  const text =
    helpTexts.get(key) ??
    execFileSync(process.execPath, [bin, ...command, '--help'], { encoding: 'utf8', stdio: 'pipe' });
  helpTexts.set(key, text);
  return text;
}

function problemOfServer([name, ...rest]: string[]): string | null {
  if (name === undefined || name.startsWith('-')) {
    const unknown = flagsIn([name ?? '', ...rest]).find(
      (flag) => flag !== '--version' && !serverHelp([]).includes(flag),
    );
    return unknown ? `service-server has no ${unknown}` : null;
  }
  if (!new RegExp(String.raw`^\s+${name}\s`, 'm').test(serverHelp([]))) return `service-server has no command ${name}`;
  const unknown = flagsIn(rest).find((flag) => !serverHelp([name]).includes(flag));
  return unknown ? `service-server ${name} has no ${unknown}` : null;
}

function problemOfNpm([verb = '', name = '']: string[]): string | null {
  if (verb === 'run') return name in scripts || name === '' ? null : `no script ${name}`;
  if (verb === 'start' || verb === 'test') return verb in scripts ? null : `no script ${verb}`;
  return ['ci', 'install', 'pack', 'pkg', 'publish', 'uninstall'].includes(verb) ? null : `unknown npm ${verb}`;
}

function problemOfCurl(command: string): string | null {
  const [, path] = /https?:\/\/[^/\s]+\/api\/v1(\/[^\s"?]*)/.exec(command) ?? [];
  if (!path) return null;
  const hasBody = /\s(?:-d|--data|-F)\s/.test(command);
  const method = /\s-X\s+(\w+)/.exec(command)?.[1] ?? (hasBody ? 'POST' : 'GET');
  const matches = (one: (typeof operations)[number]): boolean =>
    one.method.toUpperCase() === method &&
    new RegExp(`^${one.path.replaceAll(/:\w+|\{\w+\}/g, String.raw`[\w-]+`)}$`).test(path);
  return operations.some(matches) ? null : `the API has no ${method} ${path}`;
}
