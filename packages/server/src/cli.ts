import { readFileSync } from 'node:fs';
import { defineCommand, runMain } from 'citty';
import { parseArgs } from 'node:util';
import { ConfigError, flagNames, readConfig } from './config.ts';
import { createService, type Service } from './index.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const main = defineCommand({
  meta: {
    name: 'service-server',
    version,
    description: 'Groups the errors of web apps, resolves their stacks and keeps them on your own disk',
  },
  args: {
    host: { type: 'string', description: 'Address to listen on (SERVICE_HOST, 127.0.0.1)' },
    port: { type: 'string', description: 'Port to listen on (SERVICE_PORT, 4400)' },
    storage: {
      type: 'string',
      description:
        'Where everything is kept: file:PATH, redis://HOST or memory: (SERVICE_STORAGE, file:./.service-data)',
    },
    'base-url': {
      type: 'string',
      description: 'Where browsers reach this server (SERVICE_BASE_URL, from host and port)',
    },
    'cors-origin': {
      type: 'string',
      description:
        'An origin whose pages may send reports; may be given again (SERVICE_CORS_ORIGINS, those of this machine)',
    },
  },
  run: ({ rawArgs }) => start(rawArgs),
});

async function start(rawArgs: string[]): Promise<void> {
  try {
    const config = await readConfig(readFlags(rawArgs), process.env, process.cwd());
    const service = await createService(config);
    const { url } = await service.listen().catch(async (error: NodeJS.ErrnoException) => {
      // The owner is made already, and the next start will not be the first one.
      tellOwner(service);
      await service.close();
      if (error.code === 'EADDRINUSE')
        throw new ConfigError(`Port ${config.port} is taken. Choose another with --port, or stop what listens there.`);
      throw error;
    });
    stopOnSignals(service);
    await greet(service, url);
  } catch (error) {
    console.error(`service-server: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

/** Strictly: a mistyped flag that was ignored would start a server other than the one that was meant. */
function readFlags(rawArgs: string[]): Record<string, unknown> {
  const options = Object.fromEntries(
    Object.entries(flagNames).map(([name, flag]) => [
      flag.slice(2),
      { type: 'string' as const, multiple: name === 'corsOrigins' },
    ]),
  );
  try {
    const { values } = parseArgs({ args: rawArgs, options, strict: true });
    return Object.fromEntries(Object.entries(flagNames).map(([name, flag]) => [name, values[flag.slice(2)]]));
  } catch (error) {
    throw new ConfigError(`${(error as Error).message} (service-server --help lists the flags)`, { cause: error });
  }
}

async function greet(service: Service, url: string): Promise<void> {
  const { firstStart, storage } = service;
  const lines = [`Listening: ${url}`, `Storage: ${storage.name} (${storage.promise})`];
  if (firstStart) lines.push(`Sign in: ${await service.signInLink(url)}`);
  for (const line of lines) console.log(line);
  tellOwner(service);
}

/** Tells once who the owner is, if this was the first start. */
function tellOwner({ firstStart }: Service): void {
  if (!firstStart) return;
  const { email, password } = firstStart;
  console.log(`Owner: ${email}${password === null ? '' : `, password ${password} (shown only now)`}`);
}

/** The first signal stops in order, the second at once. */
function stopOnSignals(service: Service): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('service-server: could not stop in order:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

await runMain(main);
