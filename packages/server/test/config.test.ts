import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ConfigError, parseConfig, readConfig } from '../src/config.ts';
import { cleanUp, temporaryFolder } from './test-utils/describe-service.ts';

afterEach(cleanUp);

const expectedStorage =
  'expected file:PATH, sqlite:PATH, memory:, redis://HOST:PORT, postgres://USER@HOST/DATABASE or, in the config file, { driver, options }';

const expectedPlans = 'expected a JSON array of plans: { id, name, price, currency, error_quota, ai_quota }';
const pro = { id: 'pro', name: 'Pro', price: 1900, currency: 'EUR', error_quota: 100_000, ai_quota: null };
/** Returns plans as a variable contains them, each with some changes. */
const plans = (...changes: object[]): string => JSON.stringify(changes.map((change) => ({ ...pro, ...change })));

describe('readConfig', () => {
  test('readConfig fills in the defaults', () => {
    expect(parseConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4400,
      storage: 'file:./.service-data',
      baseUrl: null,
      adminEmail: 'admin@localhost',
      adminPassword: null,
      adminToken: null,
      corsOrigins: [],
      plan: 'self_hosted',
      plans: [],
      registration: 'closed',
      trustProxy: [],
      errorQuota: null,
      aiQuota: null,
      aiBaseUrl: null,
      aiKey: null,
      aiModel: 'gpt-4o-mini',
      smtpUrl: null,
      mailFrom: null,
      mailsPerDay: 1_000,
      maxProjects: 1_000,
      sourceMapMb: 10_240,
      sourceMapDays: 90,
      supportEmail: null,
      allowPrivateWebhooks: false,
      clusterUrl: null,
      stripeKey: null,
      stripeWebhookSecret: null,
      sandboxSecret: null,
      keepAliveSeconds: 61,
      storedMbPerHour: 4_096,
      projectMb: 10_240,
      addressReportsPerMinute: 120_000,
      addressMbPerMinute: 512,
      retentionReports: 100,
      retentionDays: 90,
      logLevel: 'info',
    });
  });

  test('a flag takes precedence over a variable, and a variable over the file', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'service.config.json'),
      '{"port": 1, "host": "0.0.0.0", "corsOrigins": ["https://a.example"], "errorQuota": 5}',
    );
    const env = { SERVICE_PORT: '2', SERVICE_HOST: '', SERVICE_CORS_ORIGINS: 'https://b.example, https://*.c.example' };
    const config = await readConfig({ port: '3' }, env, folder);
    expect(config).toMatchObject({
      port: 3,
      host: '0.0.0.0',
      corsOrigins: ['https://b.example', 'https://*.c.example'],
      errorQuota: 5,
    });
  });

  test('trustProxy accepts addresses, ranges and `loopback`', async () => {
    const trust = async (SERVICE_TRUST_PROXY: string) =>
      (await readConfig({}, { SERVICE_TRUST_PROXY }, '/nowhere')).trustProxy;
    expect(await trust('10.0.0.7, 10.1.0.0/16,loopback,')).toEqual(['10.0.0.7', '10.1.0.0/16', 'loopback']);
    expect(await trust('fd00::/8,::1,::ffff:10.0.0.0/104')).toEqual(['fd00::/8', '::1', '::ffff:10.0.0.0/104']);
    expect(await trust('none')).toEqual([]);
  });

  test('the config file may be a module', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'service.config.js'), 'export default { port: 4000 + 1 };');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    expect((await readConfig({}, {}, folder)).port).toBe(4001);
  });

  test('storage accepts an address or a driver of unstorage', async () => {
    for (const storage of [
      'file:./data',
      'sqlite:./data.db',
      'memory:',
      'redis://localhost',
      'rediss://user:secret@[::1]:6380/2',
    ])
      expect(parseConfig({ storage }).storage).toBe(storage);
    expect(parseConfig({ storage: { driver: 'fs' } }).storage).toEqual({ driver: 'fs', options: {} });
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'service.config.json'),
      '{"storage": {"driver": "fs", "options": {"base": "./data"}}}',
    );
    expect((await readConfig({}, {}, folder)).storage).toEqual({ driver: 'fs', options: { base: './data' } });
    // A flag replaces the whole object.
    expect((await readConfig({ storage: 'memory:' }, {}, folder)).storage).toBe('memory:');
  });

  test('plans are JSON in a variable, and an array in the config file', async () => {
    const folder = await temporaryFolder();
    const env = { SERVICE_PLANS: plans({}, { id: 'free', price: 0 }), SERVICE_PLAN: 'free' };
    expect(await readConfig({}, env, folder)).toMatchObject({
      plan: 'free',
      plans: [pro, { ...pro, id: 'free', price: 0 }],
    });
    await writeFile(join(folder, 'service.config.json'), `{"plan": "pro", "plans": ${plans({})}}`);
    expect(await readConfig({}, {}, folder)).toMatchObject({ plan: 'pro', plans: [pro] });
  });

  test.each([
    [{ SERVICE_PORT: 'abc' }, 'SERVICE_PORT: expected a port number from 0 to 65535'],
    [{ SERVICE_PORT: '70000' }, 'SERVICE_PORT: expected a port number from 0 to 65535'],
    [{ SERVICE_STORAGE: 'postgres://x' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_STORAGE: 'file:' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_STORAGE: 'redis://' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_STORAGE: 'redis://localhost/db' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_STORAGE: 'redis://localhost?ttl=5' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_STORAGE: 'sqlite:' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_STORAGE: 'sqlite::memory:' }, `SERVICE_STORAGE: ${expectedStorage}`],
    [{ SERVICE_ADMIN_TOKEN: 'short' }, 'SERVICE_ADMIN_TOKEN: expected at least 20 characters, none of them blank'],
    [{ SERVICE_ADMIN_PASSWORD: 'short' }, 'SERVICE_ADMIN_PASSWORD: expected 10 to 1024 characters'],
    // The sign-in rejects a longer password, so the owner could not sign in.
    [{ SERVICE_ADMIN_PASSWORD: 'x'.repeat(1_025) }, 'SERVICE_ADMIN_PASSWORD: expected 10 to 1024 characters'],
    [{ SERVICE_ADMIN_EMAIL: 'not-an-address' }, 'SERVICE_ADMIN_EMAIL: expected an e-mail address'],
    [{ SERVICE_SUPPORT_EMAIL: '"><b>@x.example' }, 'SERVICE_SUPPORT_EMAIL: expected an e-mail address'],
    [
      { SERVICE_BASE_URL: 'errors.example' },
      'SERVICE_BASE_URL: expected an http or https URL without a path, such as https://errors.example.com',
    ],
    [
      { SERVICE_BASE_URL: 'https://errors.example/x' },
      'SERVICE_BASE_URL: expected an http or https URL without a path, such as https://errors.example.com',
    ],
    [{ SERVICE_REGISTRATION: 'yes' }, 'SERVICE_REGISTRATION: expected closed or open'],
    ...['true', '1', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', 'proxy.example', 'fe80::1%eth0'].map(
      (SERVICE_TRUST_PROXY): [Record<string, string>, string] => [
        { SERVICE_TRUST_PROXY },
        'SERVICE_TRUST_PROXY: expected addresses or ranges such as 10.0.0.7, 10.0.0.0/8, fd00::/8 or loopback',
      ],
    ),
    [
      { SERVICE_CORS_ORIGINS: 'shop.example' },
      'SERVICE_CORS_ORIGINS: expected origins such as https://app.example.com, https://*.example.com or *',
    ],
    [
      { SERVICE_CORS_ORIGINS: 'https://a.example/path' },
      'SERVICE_CORS_ORIGINS: expected origins such as https://app.example.com, https://*.example.com or *',
    ],
    [{ SERVICE_ERROR_QUOTA: '-1' }, 'SERVICE_ERROR_QUOTA: expected a whole number'],
    [{ SERVICE_AI_QUOTA: '1.5' }, 'SERVICE_AI_QUOTA: expected a whole number'],
    [{ SERVICE_PLAN: 'gold' }, 'SERVICE_PLAN: expected self_hosted or the id of a plan in SERVICE_PLANS'],
    [{ SERVICE_PLANS: 'free' }, `SERVICE_PLANS: ${expectedPlans}`],
    [{ SERVICE_PLANS: '{}' }, `SERVICE_PLANS: ${expectedPlans}`],
    [{ SERVICE_PLANS: '[7]' }, `SERVICE_PLANS: ${expectedPlans}`],
    [{ SERVICE_PLANS: plans({}, { id: '' }) }, 'SERVICE_PLANS: plan 2: id: expected letters, digits, _ and -'],
    [{ SERVICE_PLANS: plans({}, {}) }, 'SERVICE_PLANS: plan 2: id: another plan has the same id'],
    [{ SERVICE_PLANS: plans({ name: ' ' }) }, 'SERVICE_PLANS: plan 1: name: expected a name'],
    [
      { SERVICE_PLANS: plans({ price: 9.99 }) },
      'SERVICE_PLANS: plan 1: price: expected a whole number of minor units, such as cents',
    ],
    [
      { SERVICE_PLANS: plans({ currency: 'euro' }) },
      'SERVICE_PLANS: plan 1: currency: expected three letters, such as EUR',
    ],
    [
      { SERVICE_PLANS: plans({ error_quota: undefined }) },
      'SERVICE_PLANS: plan 1: error_quota: expected a whole number, or null for no limit',
    ],
    [
      { SERVICE_PLANS: plans({ ai_quota: -1 }) },
      'SERVICE_PLANS: plan 1: ai_quota: expected a whole number, or null for no limit',
    ],
    [{ SERVICE_PLANS: plans({ quota: 5 }) }, 'SERVICE_PLANS: plan 1: quota: unknown field'],
    [{ SERVICE_STRIPE_KEY: 'sk_live_1' }, 'SERVICE_STRIPE_KEY: needs SERVICE_STRIPE_WEBHOOK_SECRET too'],
    [{ SERVICE_STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'SERVICE_STRIPE_WEBHOOK_SECRET: needs SERVICE_STRIPE_KEY too'],
    [
      { SERVICE_STRIPE_KEY: 'sk live', SERVICE_STRIPE_WEBHOOK_SECRET: 'whsec_1' },
      'SERVICE_STRIPE_KEY: expected a secret key of Stripe, such as sk_live_…',
    ],
    [{ SERVICE_RETENTION_REPORTS: '0' }, 'SERVICE_RETENTION_REPORTS: expected a whole number from 1 to 100000'],
    [{ SERVICE_RETENTION_DAYS: '0' }, 'SERVICE_RETENTION_DAYS: expected a whole number from 1 to 36500'],
    [{ SERVICE_RETENTION_DAYS: '1.5' }, 'SERVICE_RETENTION_DAYS: expected a whole number from 1 to 36500'],
    [{ SERVICE_LOG_LEVEL: 'loud' }, 'SERVICE_LOG_LEVEL: expected fatal, error, warn, info, debug, trace or silent'],
  ])('readConfig rejects %j with one line', async (env, message) => {
    await expect(readConfig({}, env, await temporaryFolder())).rejects.toThrow(new ConfigError(message));
  });

  test.each([
    ['{"prot": 1}', 'service.config.json: prot: there is no such setting'],
    ['{"storage": {"driver": 7}}', `service.config.json: storage: ${expectedStorage}`],
    ['{"storage": {"driver": "fs", "option": {}}}', `service.config.json: storage: ${expectedStorage}`],
    ['{"sandboxSecret": ""}', 'service.config.json: sandboxSecret: expected a secret text'],
    ['{"port": "x"}', 'service.config.json: port: expected a port number from 0 to 65535'],
    ['[1', /^service\.config\.json: cannot be read \(.+\)$/],
    ['7', 'service.config.json: expected an object of settings'],
    ['[{"port": 80}]', 'service.config.json: expected an object of settings'],
  ])('readConfig rejects a file with %s with one line', async (text, message) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'service.config.json'), text);
    await expect(readConfig({}, {}, folder)).rejects.toThrow(
      typeof message === 'string' ? new ConfigError(message) : message,
    );
  });
});
