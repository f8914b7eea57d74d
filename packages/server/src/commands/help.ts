import { stripVTControlCharacters } from 'node:util';
import { defineCommand, renderUsage, runMain } from 'citty';
import type { Config, flagNames, variableName } from '../config.ts';
import { version } from '../package-files/version.ts';

type Flag = keyof typeof flagNames;

/**
 * Names of the settings. Passed as an argument, because with an import the build would move modules that every start
 * needs into a separate file.
 */
interface Names {
  flags: typeof flagNames;
  variable: typeof variableName;
}

/** The text of each flag, and its default. */
const flagTexts: Record<Flag, [text: string, defaultText: string]> = {
  host: ['Address to listen on', '127.0.0.1'],
  port: ['Port to listen on', '4400'],
  storage: [
    'Where all data is stored: file:PATH, sqlite:PATH, redis://HOST:PORT, postgres://USER@HOST/DATABASE or memory:',
    'file:./.service-data',
  ],
  baseUrl: ['The URL at which browsers reach the server', 'from host and port'],
  corsOrigins: ['An origin whose pages can send reports; can be repeated', 'pages of this machine'],
};

/** Settings that only a variable or the config file can set. */
const variableTexts: Record<Exclude<keyof Config, Flag>, string> = {
  clusterUrl: 'The URL at which other servers on the same PostgreSQL reach this one (from host and port)',
  adminEmail: 'E-mail of the first owner; used on the first start only (admin@localhost)',
  adminPassword: 'Password of the first owner, at least 10 characters (random, printed once)',
  adminToken: 'A bearer token of the owner, at least 20 characters (none)',
  plan: 'Id of the default plan (self_hosted)',
  plans: 'All plans as JSON, in the form of GET /api/v1/billing/plans (only self_hosted, without limits)',
  errorQuota: 'Reports per month in the default plan (from the plan)',
  aiQuota: 'AI explanations per month in the default plan (from the plan)',
  aiBaseUrl: 'An OpenAI-compatible endpoint, with its /v1, that explains errors (built-in rules)',
  aiKey: 'The API key of this endpoint (none)',
  aiModel: 'The model of this endpoint (gpt-4o-mini)',
  smtpUrl: 'Mail server for all e-mails, smtp://user:password@HOST:PORT; needs npm install nodemailer@10 (no e-mail)',
  mailFrom: 'The sender of these e-mails (service@localhost)',
  mailsPerDay: 'Notifications by e-mail that a team may send per day, except the team of the operator (1000)',
  allowPrivateWebhooks: 'yes allows notification webhooks to private networks (no)',
  stripeKey: 'Secret key of Stripe, for payments; needs npm install stripe@23 (no payments)',
  stripeWebhookSecret: 'Signing secret of the Stripe webhook at /api/v1/billing/webhook/stripe (none)',
  sandboxSecret: 'Enables test payments that cost nothing, and signs their events (none)',
  supportEmail: 'The address that customers see if a payment is not confirmed (none)',
  registration: 'open lets anyone who can reach the server register an account (closed)',
  trustProxy: 'Proxies whose X-Forwarded-For is trusted, comma-separated (none)',
  keepAliveSeconds: 'Seconds for which an idle connection stays open; more than in the proxy (61)',
  retentionReports: 'Number of first and of newest reports stored in full per group (100)',
  retentionDays: 'Days after which stored reports are deleted (90)',
  storedMbPerHour: 'Megabytes of reports that a project may store per hour (4096)',
  projectMb: 'Megabytes of stored reports of a project; above it, the oldest are deleted (10240)',
  addressReportsPerMinute: 'Reports per minute from one IPv4 address or IPv6 /64 network (120000)',
  addressMbPerMinute: 'Megabytes of reports per minute from one IPv4 address or IPv6 /64 network (512)',
  maxProjects: 'Projects per team (1000)',
  sourceMapMb: 'Megabytes that the stored source maps of a team may take (10240)',
  sourceMapDays: 'Days after which an unused source map is deleted (90)',
  logLevel: 'fatal, error, warn, info, debug, trace or silent (info)',
};

const formatFlag = { type: 'string', description: 'Fail unless the backup has this format' } as const;
const force = { type: 'boolean', description: 'Replace existing data' } as const;

/** Prints `--help` or `--version` of the server and its commands. */
export async function showHelp(rawArgs: string[], names: Names): Promise<void> {
  const argument = (name: Flag) => ({ type: 'string', description: describeFlag(name, names) }) as const;
  const storage = argument('storage');
  const team = { type: 'positional', description: 'Id or exact name of the team' } as const;
  const command = defineCommand({
    meta: {
      name: 'service-server',
      version,
      description:
        'Groups the errors of web apps, resolves their stacks and stores them on your own disk. Starts the server unless a command is given',
    },
    args: Object.fromEntries(
      (Object.keys(flagTexts) as Flag[]).map((name) => [names.flags[name].slice(2), argument(name)]),
    ),
    subCommands: {
      backup: defineCommand({
        meta: { name: 'backup', description: 'Write all data to a file; the server may keep running' },
        args: {
          file: { type: 'positional', description: 'The file to write' },
          storage,
          force,
          format: formatFlag,
          'without-secrets': {
            type: 'boolean',
            description: 'Leave out the signing key, sessions, sign-in links and invitations',
          },
        },
      }),
      restore: defineCommand({
        meta: { name: 'restore', description: 'Restore a backup to a storage that no server uses' },
        args: {
          file: { type: 'positional', description: 'The backup' },
          storage,
          force,
          'end-sessions': { type: 'boolean', description: 'End all sessions of the backup' },
        },
      }),
      plan: defineCommand({
        meta: { name: 'plan', description: 'Assign a plan of SERVICE_PLANS to a team; the server may keep running' },
        args: {
          team,
          plan: { type: 'positional', description: 'Id of the plan' },
          storage,
        },
      }),
      teams: defineCommand({
        meta: { name: 'teams', description: 'List the teams and their usage' },
        args: { storage },
      }),
      disable: defineCommand({
        meta: { name: 'disable', description: 'Reject the reports and members of a team; its data is kept' },
        args: { team, storage },
      }),
      enable: defineCommand({
        meta: { name: 'enable', description: 'Enable a disabled team' },
        args: { team, storage },
      }),
      'reset-password': defineCommand({
        meta: { name: 'reset-password', description: 'Set and print a new password of an account' },
        args: { email: { type: 'positional', description: 'E-mail address of the account' }, storage },
      }),
      'end-sessions': defineCommand({
        meta: { name: 'end-sessions', description: 'Sign out all users' },
        args: { storage },
      }),
      'rotate-key': defineCommand({
        meta: { name: 'rotate-key', description: 'Replace the signing key of access tokens and mailed links' },
        args: { storage },
      }),
      fingerprint: defineCommand({
        meta: { name: 'fingerprint', description: 'Print the fingerprint of a stack trace, without source maps' },
        args: { file: { type: 'positional', description: 'A stack trace, or a report as JSON; - for standard input' } },
      }),
    },
  });
  await runMain(command, {
    rawArgs,
    async showUsage(shownCommand, parent) {
      const text = await renderUsage(shownCommand, parent);
      console.log(
        `${hasColors() ? text : stripVTControlCharacters(text)}${parent ? '' : `\n\n${variablesText(names)}`}`,
      );
    },
  });
}

function describeFlag(name: Flag, { variable }: Names): string {
  const [text, defaultText] = flagTexts[name];
  return `${text} (${variable(name)}, ${defaultText})`;
}

/** Returns whether the output shows colors. citty would also write them to a file. */
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
    'A file service.config.js or service.config.json in the folder in which the server is started can set the',
    'same settings (such as adminEmail). A flag takes precedence over a variable, and a variable over the file.',
    '',
  ].join('\n');
}
