import type { DestinationStream, Logger } from 'pino';
import { AllowList } from './origins/allow-list.ts';
import { openPaymentProviders, type PaymentProviders } from './payment-providers/payment-providers.ts';
import type { StripeApi } from './payment-providers/stripe.ts';
import { createAccessTokens, type AccessTokens } from './credentials/access-token.ts';
import { ensureOwner, OwnerSetup } from './credentials/first-owner.ts';
import { SignInLimits } from './credentials/sign-in-limits.ts';
import { teamUsage } from './plans/team-usage.ts';
import { defaultBaseUrl, type Config } from './config.ts';
import { createLog } from './observability/log.ts';
import { openMailer, type Mailer } from './outgoing/mailer.ts';
import { createResolveHost, type ResolveHost } from './outgoing/resolve-host.ts';
import { TestMessageOutcomes } from './outgoing/test-message-outcomes.ts';
import { Plans } from './plans/plans.ts';
import { openFunctionNames, type FunctionNames } from './symbolication/function-names.ts';
import { MapIndexer } from './symbolication/indexing/map-indexer.ts';
import { Maps } from './symbolication/maps.ts';
import type { Driver } from './store/log/storage-driver.ts';
import { openDriver } from './storage/open-driver.ts';
import { openStore, type Store } from './store/store.ts';
import { TrustedProxies } from './proxies/trusted-proxies.ts';
import { FairQueue } from './jobs/fair-queue.ts';
import { StorageBudget } from './store/storage-budget.ts';
import { Hub } from './stream/hub.ts';
import { RequestCounters } from './observability/request-counters.ts';
import { machineTiming, type Timing } from './store/log/timing.ts';

/** The dependencies of the use cases. */
export interface Services {
  readonly config: Config;
  /** The URL at which browsers reach the server: as configured, or else from the listening address. */
  baseUrl: string;
  readonly log: Logger;
  /** Counts of the requests so far. */
  readonly requestCounters: RequestCounters;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly store: Store;
  readonly accessTokens: AccessTokens;
  readonly plans: Plans;
  readonly payments: PaymentProviders;
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null;
  /** Resolves the hosts of webhooks. */
  readonly resolveHost: ResolveHost;
  /** Results of test notifications, for the callers who wait for them. */
  readonly testMessageOutcomes: TestMessageOutcomes;
  readonly allowList: AllowList;
  readonly mapIndexer: MapIndexer;
  readonly maps: Maps;
  readonly functionNames: FunctionNames;
  readonly signInLimits: SignInLimits;
  /** Limits the bytes that projects may store. */
  readonly storageBudget: StorageBudget;
  /** Serves projects round robin when reports arrive faster than they can be handled. */
  readonly reportQueue: FairQueue;
  /** Publishes live events. */
  readonly stream: Hub;
  /** Trusted proxies, whose forwarded client addresses are used. */
  readonly trustedProxies: TrustedProxies;
  /** Origins that were rejected, so that the log reports each once. */
  readonly rejectedOrigins: Set<string>;
  /** Sets the password of the owner if it is missing, and has the credentials to print if this start set it. */
  readonly ownerSetup: OwnerSetup;
  /** Background work that ends before the storage is released. */
  readonly beforeClose: (() => Promise<void>)[];
  close(): Promise<void>;
}

/** Replaceable edges of the server. A simulation passes its own storage and time. */
export interface Edges {
  /** Replaces the configured storage. The store then owns it. */
  driver?: Driver;
  now?: () => number;
  timing?: Timing;
  /** Replaces the API of Stripe. */
  stripeApi?: StripeApi;
  /** Replaces the name lookup of the machine. */
  resolveHost?: ResolveHost;
  /** Replaces standard output. */
  logTo?: DestinationStream;
}

/** Opens the storage and all services. Rejects if the storage is in use, damaged or not writable. */
export async function openServices(config: Config, edges: Edges = {}): Promise<Services> {
  const log = createLog(config.logLevel, edges.logTo);
  const now = edges.now ?? Date.now;
  const timing = edges.timing ?? machineTiming;
  const payments = await openPaymentProviders(config, (message) => log.warn(message), edges.stripeApi);
  const mailer = await openMailer(config);
  const driver = edges.driver ?? (await openDriver(config.storage));
  const store = await openStore(driver, {
    retentionReports: config.retentionReports,
    retentionDays: config.retentionDays,
    now,
    timing,
    warn: (err, message) => log.warn({ ...(err !== null && { err }) }, message),
  });
  try {
    // In parallel, so that they share one write on a first start.
    const [accessTokens] = await Promise.all([createAccessTokens(store, now), ensureOwner(store, config)]);
    const ownerSetup = new OwnerSetup(store, config, (err, message) => log.warn({ err }, message));
    const mapIndexer = new MapIndexer();
    const functionNames = openFunctionNames((err, { hash, bytes }) =>
      log.warn({ err, source_hash: hash, source_bytes: bytes }, 'the functions of a source could not be read'),
    );
    const beforeClose: Services['beforeClose'] = [];
    const plans = new Plans(config);
    const stream = new Hub({ store, now, timing, usageOf: (teamId) => teamUsage({ store, plans, now }, teamId) });
    return {
      config,
      baseUrl: config.baseUrl ?? defaultBaseUrl(config),
      log,
      requestCounters: new RequestCounters(),
      now,
      store,
      accessTokens,
      plans,
      payments,
      mailer,
      resolveHost: edges.resolveHost ?? createResolveHost(config.allowPrivateWebhooks),
      testMessageOutcomes: new TestMessageOutcomes(),
      allowList: new AllowList(config.corsOrigins, store.model),
      mapIndexer,
      functionNames,
      maps: new Maps(store, mapIndexer, now, (err, { id }, message) => log.warn({ err, source_map_id: id }, message)),
      signInLimits: new SignInLimits(now),
      storageBudget: new StorageBudget(config.storedMbPerHour, store.room, () => timing.now()),
      reportQueue: new FairQueue(() => timing.now()),
      stream,
      trustedProxies: new TrustedProxies(config.trustProxy, (peer) => warnOfProxy(log, peer)),
      rejectedOrigins: new Set(),
      ownerSetup,
      beforeClose,
      async close() {
        await Promise.allSettled(beforeClose.splice(0).map((end) => end()));
        mailer?.close();
        stream.close();
        await ownerSetup.close();
        await store.close();
        await Promise.all([mapIndexer.close(), functionNames.close()]);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function warnOfProxy(log: Logger, peer: string): void {
  log.warn(
    { peer },
    'a request has an X-Forwarded-For header from a peer that is not trusted: if this is your proxy, name it in ' +
      'SERVICE_TRUST_PROXY; until then all its clients count as one, and 50 wrong passwords lock out all of them',
  );
}
