import type { RequestListener } from 'node:http';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { operatorOwnerId, type FirstStart } from './credentials/first-owner.ts';
import { createSignInLink } from './accounts/sign-in.ts';
import { ConfigError, flagNames, readConfig, unknownVariables, variableName, type Config } from './config.ts';
import { listen } from './http-server/http-server.ts';
import { openControlSocket } from './commands/control-socket.ts';
import { openServices, type Services } from './services.ts';
import { limitYoungGeneration } from './commands/young-generation.ts';

// V8 lets garbage pile up to twice what is alive before it looks for it, and what passes through here is nearly all
// garbage: 60 MB less of it with 100,000 groups under load, for no CPU that could be measured.
setFlagsFromString('--heap-growing-percent=30');

async function start(rawArgs: string[]): Promise<void> {
  try {
    const config = await readConfig(readFlags(rawArgs), process.env, process.cwd());
    warnOfVariables();
    const services = await openServices(config);
    const listening = await listen(services, loadListener(services)).catch(async (error: NodeJS.ErrnoException) => {
      // The owner is made already, and the next start will not be the first one. If the storage fails, the next one is.
      tellOwner(await services.ownerSetup.attempt.catch(() => null));
      await services.close();
      throw cannotListen(config, error);
    });
    const control = openControlSocket(services);
    const close = async (): Promise<void> => {
      (await control)();
      await listening.stop();
      await services.close();
    };
    const { name, promise, lost } = services.store.driver;
    stopInOrder(close, lost);
    console.log(`Listening: ${services.baseUrl}\nStorage: ${name} (${promise})`);
    limitYoungGeneration();
    await Promise.all([listening.ready, control, greet(services)]).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  } catch (error) {
    fail(error);
  }
}

function cannotListen({ host, port }: Config, error: NodeJS.ErrnoException): ConfigError {
  return new ConfigError(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken. Choose another with --port or SERVICE_PORT, or stop what listens there.`
      : `The server can't listen at ${host}, port ${port} (${error.message}). Choose others with --host and --port.`,
    { cause: error },
  );
}

/** No more than a warning: others (container platforms, service registries) set variables of that prefix, too. */
function warnOfVariables(): void {
  for (const name of unknownVariables(process.env))
    console.error(`service-server: ${name} is no setting of this server and changes nothing (--help lists all)`);
}

/** One line, and no stack: what is wrong here is for the operator to mend. */
function fail(error: unknown): never {
  console.error(`service-server: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function command(rawArgs: string[]): Promise<void> {
  try {
    const { runCommand } = await import('./commands/run-command.ts');
    await runCommand(rawArgs);
  } catch (error) {
    fail(error);
  }
}

/** The app is loaded once the port is open: h3, and what Node has for web requests, are half of what there is to load. */
function loadListener(services: Services): () => Promise<RequestListener> {
  return async () => {
    const { serve } = await import('./http-server/start.ts');
    return serve(services);
  };
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

/** Tells, on a first start, how to sign in. Never rejects: the server answers already. */
async function greet(services: Services): Promise<void> {
  const firstStart = await services.ownerSetup.done;
  if (!firstStart) return;
  try {
    console.log(`Sign in: ${await createSignInLink(services, operatorOwnerId, services.baseUrl)}`);
  } catch (error) {
    services.log.warn({ err: error }, 'no sign-in link could be made; sign in with the password');
  }
  tellOwner(firstStart);
}

/** Tells once who the owner is, if this was the first start. */
function tellOwner(firstStart: FirstStart | null): void {
  if (!firstStart) return;
  const { email, password } = firstStart;
  console.log(`Owner: ${email}${password === null ? '' : `, password ${password} (shown only now)`}`);
}

/** Connections are cut off before. A disk that does not come back must not hold the process any longer. */
const longestStopMs = 9_500;

/** The first signal stops in order, the second at once. So does the loss of the storage, as a failure: see `Driver.lost`. */
function stopInOrder(close: () => Promise<void>, lost: Promise<Error> | undefined): void {
  let stopping = false;
  const end = (code: number): void => {
    stopping = true;
    setTimeout(() => fail(new Error('The storage did not finish in time.')), longestStopMs).unref();
    close().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error('service-server: could not stop in order:', error);
        process.exit(1);
      },
    );
  };
  const stop = (): void => {
    if (stopping) process.exit(1);
    end(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // It could only refuse from now on. Whoever supervises it starts it again, and then it reads what is there.
  void lost?.then(({ message }) => {
    console.error(`service-server: ${message}`);
    if (!stopping) end(1);
  });
}

/** `--help` and `--version`. Loaded only for these: whoever starts a server does not wait for it. */
async function tell(rawArgs: string[]): Promise<void> {
  const { tellHelp } = await import('./commands/help.ts');
  await tellHelp(rawArgs, { flags: flagNames, variable: variableName });
}

const rawArgs = process.argv.slice(2);
if (rawArgs.some((arg) => /^(--help|-h|--version|-v)$/.test(arg))) await tell(rawArgs);
else if (rawArgs[0] !== undefined && !rawArgs[0].startsWith('-')) await command(rawArgs);
else await start(rawArgs);
