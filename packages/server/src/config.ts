import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { limits } from '@service/protocol';
import * as z from 'zod';
import { isOriginEntry } from './origins/origin-entry.ts';
import { isProxyEntry } from './proxies/trusted-proxies.ts';
import { PlanList } from './plans/plan-list.ts';
import { Plans, selfHosted } from './plans/plans.ts';

/** An invalid setting. The message is one line that names it and the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Accepts a number, or the text of a variable. */
const wholeNumber = (min: number, max: number, error: string) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error },
    )
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));

/** Accepts a list, or the text of a variable with comma-separated entries. */
const entries = (isEntry: (entry: string) => boolean, error: string) =>
  z
    .union([z.array(z.string()), z.string().transform((text) => text.split(','))], { error })
    .transform((list) => list.map((entry) => entry.trim()).filter(Boolean))
    .pipe(z.array(z.string().refine(isEntry, { error })));

const hostName = 'expected a host name or address';
const smtpAddress = 'expected an address such as smtp://user:password@mail.example.com:587';
const mailAddress = 'expected an address such as Errors <errors@example.com>';
const aiUrl = 'expected an http or https URL with its /v1, such as https://api.example.com/v1';
const httpUrl = 'expected an http or https URL without a path, such as https://errors.example.com';
const clusterUrl = 'expected an http URL without a path, such as http://10.0.0.7:4400';
/** Only the config file or an embedding program can give an object. Opening the storage checks the driver. */
const storage =
  'expected file:PATH, sqlite:PATH, memory:, redis://HOST:PORT, postgres://USER@HOST/DATABASE or, in the config file, { driver, options }';
const proxyEntry = 'expected addresses or ranges such as 10.0.0.7, 10.0.0.0/8, fd00::/8 or loopback';
const passwordLength = `expected ${limits.minPasswordChars} to ${limits.maxPasswordChars} characters`;
const stripeKey = 'expected a secret key of Stripe, such as sk_live_…';
const stripeWebhookSecret = 'expected the signing secret of a webhook of Stripe, such as whsec_…';
const sandboxSecret = 'expected a secret text';
const originEntry = 'expected origins such as https://app.example.com, https://*.example.com or *';

/** All settings with their defaults, by their names in the config file. Each has a variable, and some have a flag. */
export const Config = z.strictObject({
  host: z.string({ error: hostName }).min(1, { error: hostName }).default('127.0.0.1'),
  port: wholeNumber(0, 65_535, 'expected a port number from 0 to 65535').default(4400),
  /** Where all data is stored: an address, or a driver of unstorage by name. */
  storage: z
    .union(
      [
        z.string().refine(isStorageAddress, { error: storage }),
        z.strictObject(
          {
            driver: z.string({ error: storage }),
            options: z.record(z.string(), z.unknown(), { error: storage }).default({}),
          },
          { error: storage },
        ),
      ],
      { error: storage },
    )
    .default('file:./.service-data'),
  /** The URL at which browsers reach the server. By default it is built from host and port. */
  baseUrl: z
    .string({ error: httpUrl })
    .refine(isBaseUrl, { error: httpUrl, abort: true })
    .transform((url) => new URL(url).origin)
    .nullable()
    .default(null),
  /**
   * The URL at which other servers on the same PostgreSQL reach this one. By default it is built from host and port.
   */
  clusterUrl: z
    .string({ error: httpUrl })
    .refine((url) => isBaseUrl(url) && url.startsWith('http:'), { error: clusterUrl, abort: true })
    .transform((url) => new URL(url).origin)
    .nullable()
    .default(null),
  adminEmail: z
    .email({ error: 'expected an e-mail address' })
    .or(z.literal('admin@localhost'))
    .default('admin@localhost'),
  /** The password of the first owner. Without it, a random one is printed. */
  adminPassword: z
    .string({ error: passwordLength })
    .min(limits.minPasswordChars, { error: passwordLength })
    .max(limits.maxPasswordChars, { error: passwordLength })
    .nullable()
    .default(null),
  /** A Bearer token that acts as an owner of the operator's team: see `operatorOwner`. */
  adminToken: z
    .string()
    .regex(/^\S{20,}$/, { error: 'expected at least 20 characters, none of them blank' })
    .nullable()
    .default(null),
  /** Origins whose pages may send reports. If none are set here or through the API: the origins of this machine. */
  corsOrigins: entries(isOriginEntry, originEntry).default([]),
  /** The default plan of a team. */
  plan: z.string({ error: 'expected the id of a plan' }).default(selfHosted.id),
  /** The plans to choose from. If empty: only the plan of a self-hosted server, without limits. */
  plans: PlanList.default([]),
  /** `errorQuota` and `aiQuota` replace the quotas of the default plan. */
  errorQuota: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'expected a whole number').nullable().default(null),
  aiQuota: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'expected a whole number').nullable().default(null),
  /** Keys of a Stripe account: both or neither. */
  stripeKey: z.string({ error: stripeKey }).regex(/^\S+$/, { error: stripeKey }).nullable().default(null),
  stripeWebhookSecret: z
    .string({ error: stripeWebhookSecret })
    .regex(/^\S+$/, { error: stripeWebhookSecret })
    .nullable()
    .default(null),
  /** A secret that enables a payment provider without charges, and signs the events of that provider. */
  sandboxSecret: z.string({ error: sandboxSecret }).min(1, { error: sandboxSecret }).nullable().default(null),
  /**
   * Seconds for which an idle connection stays open. Must be longer than the keep-alive time of the proxy: otherwise
   * the proxy may send a request on a connection that is being closed.
   */
  keepAliveSeconds: wholeNumber(1, 3_600, 'expected a whole number from 1 to 3600').default(61),
  /** The number of first reports, and of newest reports, stored in full per group. */
  retentionReports: wholeNumber(1, 100_000, 'expected a whole number from 1 to 100000').default(100),
  /** Days after which stored reports are deleted. Counts are kept. */
  retentionDays: wholeNumber(1, 36_500, 'expected a whole number from 1 to 36500').default(90),
  /**
   * Megabytes of reports that a project may store per hour, at most a sixteenth of this at once. Further reports are
   * counted, but not stored.
   */
  storedMbPerHour: wholeNumber(1, 1_000_000, 'expected a whole number from 1 to 1000000').default(4_096),
  /** Megabytes that the stored reports of a project may take. Above it, the oldest ones are deleted. */
  projectMb: wholeNumber(1, 10_000_000, 'expected a whole number from 1 to 10000000').default(10_240),
  /** Reports per minute from one IPv4 address or IPv6 /64 network. Further ones are rejected with `overloaded`. */
  addressReportsPerMinute: wholeNumber(1, 1_000_000_000, 'expected a whole number from 1 to 1000000000').default(
    120_000,
  ),
  /** Megabytes of reports per minute from one IPv4 address or IPv6 /64 network. */
  addressMbPerMinute: wholeNumber(1, 1_000_000, 'expected a whole number from 1 to 1000000').default(512),
  /** Projects per team. */
  maxProjects: wholeNumber(1, 100_000, 'expected a whole number from 1 to 100000').default(1_000),
  /** Megabytes that the stored source maps of a team may take. */
  sourceMapMb: wholeNumber(1, 10_000_000, 'expected a whole number from 1 to 10000000').default(10_240),
  /** Days after which a source map is deleted that has resolved no stack in this time. */
  sourceMapDays: wholeNumber(1, 36_500, 'expected a whole number from 1 to 36500').default(90),
  /** `open` lets anyone register an account with a new team. */
  registration: z.enum(['closed', 'open'], { error: 'expected closed or open' }).default('closed'),
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: entries((entry) => entry === 'none' || isProxyEntry(entry), proxyEntry)
    .transform((proxies) => proxies.filter((entry) => entry !== 'none'))
    .default([]),
  /** An OpenAI-compatible endpoint, with its `/v1`, that explains errors. By default built-in rules explain them. */
  aiBaseUrl: z
    .string({ error: aiUrl })
    .refine((text) => /^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text), { error: aiUrl })
    .nullable()
    .default(null),
  aiKey: z.string({ error: 'expected the key of the provider' }).min(1).nullable().default(null),
  aiModel: z.string({ error: 'expected the name of a model' }).min(1).max(200).default('gpt-4o-mini'),
  /** The mail server for all e-mails: notifications, confirmations and payments. */
  smtpUrl: z
    .string({ error: smtpAddress })
    .refine((text) => /^smtps?:\/\/[^\s]+$/i.test(text) && URL.canParse(text), { error: smtpAddress })
    .nullable()
    .default(null),
  /** The sender of all e-mails. */
  mailFrom: z
    .string({ error: mailAddress })
    .regex(/^[^\r\n]{0,200}[^\s@<>]{1,64}@[^\s@<>]{1,255}>?$/, { error: mailAddress })
    .nullable()
    .default(null),
  /** E-mail notifications of a team per day, counted once per recipient. The operator's team has no limit. */
  mailsPerDay: wholeNumber(0, 1_000_000, 'expected a whole number from 0 to 1000000').default(1_000),
  /** The e-mail address that customers see, for example if a payment is not confirmed. */
  supportEmail: z.email({ error: 'expected an e-mail address' }).nullable().default(null),
  /** True if webhooks may reach private networks. */
  allowPrivateWebhooks: z
    .union([z.boolean(), z.enum(['yes', 'no', 'true', 'false', '1', '0'])], { error: 'expected yes or no' })
    .transform((value) => value === true || value === 'yes' || value === 'true' || value === '1')
    .default(false),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'expected fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
});
export type Config = z.output<typeof Config>;
export type ConfigInput = z.input<typeof Config>;

type SettingName = keyof Config;

/** Returns the base URL for a server without a configured one. */
export function defaultBaseUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  // Browsers omit port 80.
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Returns whether a server with this host listens on all addresses of its machine: `0.0.0.0`, `::` or another form. */
export function isEveryAddress(host: string): boolean {
  return /^(?:[0.]+|[0:]+)$/.test(host);
}

/** Settings with a flag. The others are set only by a variable or in the config file. */
export const flagNames = {
  host: '--host',
  port: '--port',
  storage: '--storage',
  baseUrl: '--base-url',
  corsOrigins: '--cors-origin',
} as const;

const fileNames = ['service.config.js', 'service.config.json'];

function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text);
}

function isStorageAddress(text: string): boolean {
  return /^(file:.+|sqlite:(?!:memory:).+|memory:)$/.test(text) || isRedisUrl(text) || isPostgresUrl(text);
}

/** Accepts hosts and a database. The driver checks them, and explains what is wrong. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\/.+\/./.test(text);
}

/** Accepts host, port, user and database. Everything else goes into `options` of the config file. */
function isRedisUrl(text: string): boolean {
  return /^rediss?:\/\/[^/?#]+(\/\d*)?$/.test(text) && URL.canParse(text);
}

/**
 * Parses the settings of a program that embeds the server, and fills in defaults. Throws a `ConfigError` if one is
 * invalid.
 */
export function parseConfig(input: ConfigInput): Config {
  return validateConfig(input, (name) => name);
}

/**
 * Reads settings by precedence: flag, variable, config file in `folder`, default. Rejects with a `ConfigError` if one
 * is invalid or the file cannot be read.
 */
export async function readConfig(
  flags: Partial<Record<SettingName, unknown>>,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<Config> {
  const file = await readConfigFile(folder);
  const settings: Record<string, unknown> = { ...file.settings };
  const sources = new Map(Object.keys(file.settings).map((name) => [name, `${file.name}: ${name}`]));
  for (const name of Object.keys(Config.shape) as SettingName[]) {
    const variable = variableName(name);
    // Shells and container files use an empty variable for "not set".
    if (env[variable]) {
      settings[name] = env[variable];
      sources.set(name, variable);
    }
    if (flags[name] !== undefined) {
      settings[name] = flags[name];
      sources.set(name, (flagNames as Partial<Record<SettingName, string>>)[name] ?? name);
    }
  }
  return validateConfig(settings, (name) => sources.get(name) ?? name);
}

/** Returns the variable of a setting: `SERVICE_CORS_ORIGINS` for `corsOrigins`. */
export function variableName(name: SettingName): string {
  return `SERVICE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Returns `SERVICE_…` variables that are no settings: mistyped, or of another version or program. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const names = new Set((Object.keys(Config.shape) as SettingName[]).map(variableName));
  return Object.keys(env).filter((name) => name.startsWith('SERVICE_') && !names.has(name));
}

function validateConfig(input: unknown, sourceOf: (name: string) => string): Config {
  const result = Config.safeParse(input);
  if (result.success) {
    if (!new Plans(result.data).find(result.data.plan))
      throw new ConfigError(`${sourceOf('plan')}: expected ${selfHosted.id} or the id of a plan in SERVICE_PLANS`);
    assertStripeIsComplete(result.data, sourceOf);
    return result.data;
  }
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0)
    throw new ConfigError(`${sourceOf(String(issue.keys[0]))}: there is no such setting`);
  const name = String(issue?.path[0] ?? 'config');
  throw new ConfigError(`${sourceOf(name)}: ${issue?.message ?? 'invalid value'}`);
}

/** Requires both settings of Stripe: payments that start and are never confirmed would harm customers. */
function assertStripeIsComplete(
  { stripeKey: key, stripeWebhookSecret: secret }: Config,
  sourceOf: (name: string) => string,
): void {
  if (key !== null && secret === null)
    throw new ConfigError(`${sourceOf('stripeKey')}: needs ${variableName('stripeWebhookSecret')} too`);
  if (key === null && secret !== null)
    throw new ConfigError(`${sourceOf('stripeWebhookSecret')}: needs ${variableName('stripeKey')} too`);
}

async function readConfigFile(folder: string): Promise<{ name: string; settings: object }> {
  const name = fileNames.find((file) => existsSync(resolve(folder, file)));
  if (!name) return { name: '', settings: {} };
  const path = resolve(folder, name);
  let settings: unknown;
  try {
    settings = name.endsWith('.json')
      ? JSON.parse(readFileSync(path, 'utf8'))
      : ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new ConfigError(
      `${name}: cannot be read (${error instanceof Error ? error.message.split('\n')[0] : 'unknown error'})`,
      {
        cause: error,
      },
    );
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new ConfigError(`${name}: expected an object of settings`);
  return { name, settings };
}
