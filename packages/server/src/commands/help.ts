import { stripVTControlCharacters } from 'node:util';
import { defineCommand, renderUsage, runMain } from 'citty';
import type { Config, flagNames, variableName } from '../config.ts';
import { version } from '../package-files/version.ts';

type Flag = keyof typeof flagNames;

/** How settings are given. An argument, for what a start imports must not be torn into a file of its own. */
interface Names {
  flags: typeof flagNames;
  variable: typeof variableName;
}

/** What each flag says, with its variable and its default behind. */
const flagTexts: Record<Flag, [text: string, standard: string]> = {
  host: ['Address to listen on', '127.0.0.1'],
  port: ['Port to listen on', '4400'],
  storage: ['Where everything is kept: file:PATH, sqlite:PATH, redis://HOST:PORT or memory:', 'file:./.service-data'],
  baseUrl: ['Where browsers reach this server', 'from host and port'],
  corsOrigins: ['An origin whose pages may send reports; may be given again', 'those of this machine'],
};

/** Settings that only a variable or the config file can give. */
const variableTexts: Record<Exclude<keyof Config, Flag>, string> = {
  adminEmail: 'Of the owner whom the first start makes (admin@localhost)',
  adminPassword: 'Of that owner, 10 characters or more (made up, and printed once)',
  adminToken: 'A Bearer of that owner, 20 characters or more (none)',
  plan: 'Id of the plan of every team that was given no other (self_hosted)',
  plans: 'All plans, as JSON in the form of GET /api/v1/billing/plans (self_hosted, without limits)',
  errorQuota: 'Reports a month, in place of what the default plan says',
  aiQuota: 'AI explanations a month, in place of what the default plan says',
  aiBaseUrl:
    'An OpenAI-compatible endpoint that explains errors, with its /v1 (the server explains by rules of its own)',
  aiKey: 'Its key (none)',
  aiModel: 'Its model (gpt-4o-mini)',
  smtpUrl: 'Mail server for notifications: smtp://user:password@HOST:PORT; needs npm install nodemailer@10 (off)',
  mailFrom: 'Whom such mails are from (service@localhost)',
  allowPrivateWebhooks: 'yes: webhooks may lead into private networks (no)',
  stripeKey: 'Secret key of Stripe, for payments; needs the package stripe (no payments)',
  stripeWebhookSecret: 'By which Stripe signs what it sends to /api/v1/billing/webhook/stripe',
  sandboxSecret: 'Payments that cost nothing, to try them out: signs their events (none)',
  supportEmail: 'Address that customers are given for help, such as with a payment (none)',
  registration: 'open: whoever reaches the server may make an account (closed)',
  trustProxy: 'Proxies whose X-Forwarded-For is believed, by commas (none)',
  retentionReports: 'Of each group, so many first and newest reports are kept whole (100)',
  retentionDays: 'Kept reports are forgotten after so many days (90)',
  logLevel: 'fatal, error, warn, info, debug, trace or silent (info)',
};

const force = { type: 'boolean', description: 'Replace what is there' } as const;

/** `--help` and `--version`, of the server and of the commands beside it. */
export async function tellHelp(rawArgs: string[], names: Names): Promise<void> {
  const argument = (name: Flag) => ({ type: 'string', description: describe(name, names) }) as const;
  const storage = argument('storage');
  const command = defineCommand({
    meta: {
      name: 'service-server',
      version,
      description:
        'Groups the errors of web apps, resolves their stacks and keeps them on your own disk. Starts the server, unless a command is named',
    },
    args: Object.fromEntries(
      (Object.keys(flagTexts) as Flag[]).map((name) => [names.flags[name].slice(2), argument(name)]),
    ),
    subCommands: {
      backup: defineCommand({
        meta: { name: 'backup', description: 'Write all that there is into a file, also while the server runs' },
        args: { file: { type: 'positional', description: 'The file to write' }, storage, force },
      }),
      restore: defineCommand({
        meta: { name: 'restore', description: 'Put a backup into a storage on which no server runs' },
        args: { file: { type: 'positional', description: 'The backup' }, storage, force },
      }),
      plan: defineCommand({
        meta: { name: 'plan', description: 'Give a team a plan of SERVICE_PLANS, also while the server runs' },
        args: {
          team: { type: 'positional', description: 'Id or exact name of the team' },
          plan: { type: 'positional', description: 'Id of the plan' },
          storage,
        },
      }),
      fingerprint: defineCommand({
        meta: { name: 'fingerprint', description: 'Tell how a stack trace would group, without source maps' },
        args: { file: { type: 'positional', description: 'A stack trace, or a report as JSON; - for standard input' } },
      }),
    },
  });
  await runMain(command, {
    rawArgs,
    async showUsage(shown, parent) {
      const text = await renderUsage(shown, parent);
      console.log(
        `${hasColors() ? text : stripVTControlCharacters(text)}${parent ? '' : `\n\n${variablesText(names)}`}`,
      );
    },
  });
}

function describe(name: Flag, { variable }: Names): string {
  const [text, standard] = flagTexts[name];
  return `${text} (${variable(name)}, ${standard})`;
}

/** citty would colour what goes into a file, too. */
function hasColors(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors();
}

function variablesText({ variable }: Names): string {
  const rows = Object.entries(variableTexts).map(([name, text]) => [variable(name as keyof Config), text] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    'VARIABLES without a flag',
    '',
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}    ${text}`),
    '',
    'service.config.js or service.config.json, in the folder in which the server is started, may hold the same',
    'settings (adminEmail). A flag wins over a variable, a variable over the file.',
    '',
  ].join('\n');
}
