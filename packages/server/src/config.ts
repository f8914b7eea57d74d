import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { limits } from '@service/protocol';
import * as z from 'zod';
import { isOriginEntry } from './origins/origin-entry.ts';
import { isProxyEntry } from './proxies/trusted-proxies.ts';
import { PlanList, Plans, selfHosted } from './plans/plans.ts';

/** A setting that can't be used, in one line that says which and why. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Numbers and lists may come as the text of a variable. */
const wholeNumber = (min: number, max: number, what: string) =>
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
      { error: what },
    )
    .pipe(z.int({ error: what }).min(min, { error: what }).max(max, { error: what }));

/** Entries of a list, or of the text of a variable that separates them by commas. */
const entries = (isEntry: (entry: string) => boolean, what: string) =>
  z
    .union([z.array(z.string()), z.string().transform((text) => text.split(','))], { error: what })
    .transform((list) => list.map((entry) => entry.trim()).filter(Boolean))
    .pipe(z.array(z.string().refine(isEntry, { error: what })));

const hostName = 'expected a host name or address';
const smtpAddress = 'expected an address such as smtp://user:password@mail.example.com:587';
const mailAddress = 'expected an address such as Errors <errors@example.com>';
const aiUrl = 'expected an http or https URL with its /v1, such as https://api.example.com/v1';
const httpUrl = 'expected an http or https URL without a path, such as https://errors.example.com';
/** The object is for the config file alone; a name is looked up where the drivers are. */
const storage =
  'expected file:PATH, sqlite:PATH, memory:, redis://HOST:PORT or, in the config file, { driver, options }';
const proxyEntry = 'expected addresses or ranges such as 10.0.0.7, 10.0.0.0/8, fd00::/8 or loopback';
const passwordLength = `expected ${limits.minPasswordChars} to ${limits.maxPasswordChars} characters`;
const stripeKey = 'expected a secret key of Stripe, such as sk_live_…';
const stripeWebhookSecret = 'expected the signing secret of a webhook of Stripe, such as whsec_…';
const sandboxSecret = 'expected a text that nobody guesses';
const originEntry = 'expected origins such as https://app.example.com, https://*.example.com or *';

/** All settings with their defaults. Names of the config file; flags and variables mirror them. */
export const Config = z.strictObject({
  host: z.string({ error: hostName }).min(1, { error: hostName }).default('127.0.0.1'),
  port: wholeNumber(0, 65_535, 'expected a port number from 0 to 65535').default(4400),
  /** Where everything is kept: an address, or one of unstorage's drivers by name. */
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
  /** Where browsers reach the server; without it, from host and port. */
  baseUrl: z
    .string({ error: httpUrl })
    .refine(isBaseUrl, { error: httpUrl, abort: true })
    .transform((url) => new URL(url).origin)
    .nullable()
    .default(null),
  adminEmail: z
    .email({ error: 'expected an e-mail address' })
    .or(z.literal('admin@localhost'))
    .default('admin@localhost'),
  /** Of the owner made on the first start; without it one is made up and printed. */
  adminPassword: z
    .string({ error: passwordLength })
    .min(limits.minPasswordChars, { error: passwordLength })
    .max(limits.maxPasswordChars, { error: passwordLength })
    .nullable()
    .default(null),
  /** A Bearer of the owner. */
  adminToken: z
    .string()
    .regex(/^\S{20,}$/, { error: 'expected at least 20 characters, none of them blank' })
    .nullable()
    .default(null),
  /** Origins whose pages may send reports; none at all: those of this machine. */
  corsOrigins: entries(isOriginEntry, originEntry).default([]),
  /** Of every team that no other plan was given to. */
  plan: z.string({ error: 'expected the id of a plan' }).default(selfHosted.id),
  /** What may be chosen from. Without any: the one of a server of one's own, without limits. */
  plans: PlanList.default([]),
  /** In place of what the default plan says; null: as it says. */
  errorQuota: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'expected a whole number').nullable().default(null),
  aiQuota: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'expected a whole number').nullable().default(null),
  /** Of an account with Stripe: both, or neither. */
  stripeKey: z.string({ error: stripeKey }).regex(/^\S+$/, { error: stripeKey }).nullable().default(null),
  stripeWebhookSecret: z
    .string({ error: stripeWebhookSecret })
    .regex(/^\S+$/, { error: stripeWebhookSecret })
    .nullable()
    .default(null),
  /** Signs the events of a payment provider that takes no money. */
  sandboxSecret: z.string({ error: sandboxSecret }).min(1, { error: sandboxSecret }).nullable().default(null),
  /** Of each group, so many first reports are kept whole, and so many of the newest. */
  retentionReports: wholeNumber(1, 100_000, 'expected a whole number from 1 to 100000').default(100),
  /** Kept reports are forgotten after so many days; counts are not. */
  retentionDays: wholeNumber(1, 36_500, 'expected a whole number from 1 to 36500').default(90),
  /** Whether strangers may make an account, with a team of its own. */
  registration: z.enum(['closed', 'open'], { error: 'expected closed or open' }).default('closed'),
  /** Proxies whose `X-Forwarded-For` is believed. */
  trustProxy: entries((entry) => entry === 'none' || isProxyEntry(entry), proxyEntry)
    .transform((proxies) => proxies.filter((entry) => entry !== 'none'))
    .default([]),
  /** An OpenAI-compatible endpoint that explains errors, with its `/v1`; none: the server explains by rules of its own. */
  aiBaseUrl: z
    .string({ error: aiUrl })
    .refine((text) => /^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text), { error: aiUrl })
    .nullable()
    .default(null),
  aiKey: z.string({ error: 'expected the key of the provider' }).min(1).nullable().default(null),
  aiModel: z.string({ error: 'expected the name of a model' }).min(1).max(200).default('gpt-4o-mini'),
  /** The mail server that notifications go by. */
  smtpUrl: z
    .string({ error: smtpAddress })
    .refine((text) => /^smtps?:\/\/[^\s]+$/i.test(text) && URL.canParse(text), { error: smtpAddress })
    .nullable()
    .default(null),
  /** Whom such mails are from. */
  mailFrom: z
    .string({ error: mailAddress })
    .regex(/^[^\r\n]{0,200}[^\s@<>]{1,64}@[^\s@<>]{1,255}>?$/, { error: mailAddress })
    .nullable()
    .default(null),
  /** Whom customers write to, such as about a payment that is not confirmed. */
  supportEmail: z.email({ error: 'expected an e-mail address' }).nullable().default(null),
  /** Whether webhooks may lead into private networks. */
  allowPrivateWebhooks: z
    .union([z.boolean(), z.enum(['yes', 'no', 'true', 'false', '1', '0'])], { error: 'expected yes or no' })
    .transform((given) => given === true || given === 'yes' || given === 'true' || given === '1')
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

/** Where the server is reached if nobody said otherwise. */
export function defaultBaseUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  // As browsers write it: without the port where that is 80.
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Every setting that a flag can give: the rest are secrets, or too long for a command line. */
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
  return /^(file:.+|sqlite:(?!:memory:).+|memory:)$/.test(text) || isRedisUrl(text);
}

/** More than host, port, user and database is for `options` of the config file. */
function isRedisUrl(text: string): boolean {
  return /^rediss?:\/\/[^/?#]+(\/\d*)?$/.test(text) && URL.canParse(text);
}

/** Settings of a library user; what is missing has its default. Throws a ConfigError. */
export function parseConfig(input: ConfigInput): Config {
  return parse(input, (name) => name);
}

/** Settings of the program: flag, else variable, else config file in `folder`, else default. Throws a ConfigError. */
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
    // An empty variable is how a shell or a container file says "not set".
    if (env[variable]) {
      settings[name] = env[variable];
      sources.set(name, variable);
    }
    if (flags[name] !== undefined) {
      settings[name] = flags[name];
      sources.set(name, (flagNames as Partial<Record<SettingName, string>>)[name] ?? name);
    }
  }
  return parse(settings, (name) => sources.get(name) ?? name);
}

/** `corsOrigins` is `SERVICE_CORS_ORIGINS`. */
export function variableName(name: SettingName): string {
  return `SERVICE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Variables that look like settings and are none: mistyped, of another version, or somebody else's. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = new Set((Object.keys(Config.shape) as SettingName[]).map(variableName));
  return Object.keys(env).filter((name) => name.startsWith('SERVICE_') && !known.has(name));
}

function parse(input: unknown, sourceOf: (name: string) => string): Config {
  const result = Config.safeParse(input);
  if (result.success) {
    if (!new Plans(result.data).find(result.data.plan))
      throw new ConfigError(`${sourceOf('plan')}: expected ${selfHosted.id}, or the id of one of SERVICE_PLANS`);
    assertStripeIsWhole(result.data, sourceOf);
    return result.data;
  }
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0)
    throw new ConfigError(`${sourceOf(String(issue.keys[0]))}: there is no such setting`);
  const name = String(issue?.path[0] ?? 'config');
  throw new ConfigError(`${sourceOf(name)}: ${issue?.message ?? 'not as it should be'}`);
}

/** Of payments that are begun and never believed in, the customer would have the trouble. */
function assertStripeIsWhole(
  { stripeKey: key, stripeWebhookSecret: secret }: Config,
  sourceOf: (name: string) => string,
): void {
  if (key !== null && secret === null)
    throw new ConfigError(`${sourceOf('stripeKey')}: needs ${variableName('stripeWebhookSecret')} beside it`);
  if (key === null && secret !== null)
    throw new ConfigError(`${sourceOf('stripeWebhookSecret')}: needs ${variableName('stripeKey')} beside it`);
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
      `${name}: it can't be read (${error instanceof Error ? error.message.split('\n')[0] : 'unknown error'})`,
      {
        cause: error,
      },
    );
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new ConfigError(`${name}: expected an object of settings`);
  return { name, settings };
}
