import type { Usage } from '@service/protocol';
import type { DestinationStream, Logger } from 'pino';
import { AllowList } from './origins/allow-list.ts';
import { openPaymentProviders, type PaymentProviders } from './payment-providers/payment-providers.ts';
import type { StripeApi } from './payment-providers/stripe.ts';
import { createAccessTokens, type AccessTokens } from './credentials/access-token.ts';
import { endAllSessions } from './credentials/end-all-sessions.ts';
import { endSessionsSetting } from './store/records/setting-records.ts';
import { ensureOwner, OwnerSetup } from './teams/first-owner.ts';
import { ReportLimits } from './limits/report-limits.ts';
import { RegistrationLimits } from './limits/registration-limits.ts';
import { SignInLimits } from './limits/sign-in-limits.ts';
import { teamUsage } from './plans/team-usage.ts';
import { defaultBaseUrl, type Config } from './config.ts';
import { createLog } from './observability/log.ts';
import { openMailer, type Mailer } from './outgoing/mailer.ts';
import { createResolveHost, type ResolveHost } from './outgoing/resolve-host.ts';
import { TestMessageOutcomes } from './jobs/test-message-outcomes.ts';
import { Plans } from './plans/plans.ts';
import { openFunctionNames, type FunctionNames, type FunctionNamesOptions } from './symbolication/function-names.ts';
import { recordLateNames } from './symbolication/record-late-names.ts';
import { MapIndexing } from './symbolication/indexing/map-indexing.ts';
import { MapReader } from './symbolication/map-reader.ts';
import { UploadBudget } from './uploads/upload-budget.ts';
import type { StorageDriver } from './store/log/storage-driver.ts';
import { openDriver } from './storage/open-driver.ts';
import { openStore, type Store } from './store/store.ts';
import { TrustedProxies } from './proxies/trusted-proxies.ts';
import { ReportQueue } from './limits/report-queue.ts';
import { StorageBudget } from './store/storage-budget.ts';
import { Hub } from './stream/hub.ts';
import { DroppedItemCounts } from './observability/dropped-item-counts.ts';
import { RequestCounters } from './observability/request-counters.ts';
import { machineTiming, type Timing } from './time/timing.ts';

/** The dependencies of the use cases. */
export interface Services {
  readonly config: Config;
  /** The URL at which browsers reach the server: as configured, or else from the listening address. */
  baseUrl: string;
  readonly log: Logger;
  /** Counts of the requests so far. */
  readonly requestCounters: RequestCounters;
  /** Counts the items of Sentry's SDKs that are not stored, and the errors that these SDKs dropped. */
  readonly droppedItems: DroppedItemCounts;
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
  /** Limits the uploads of source maps that are in progress. */
  readonly uploadBudget: UploadBudget;
  readonly mapIndexing: MapIndexing;
  readonly mapReader: MapReader;
  readonly functionNames: FunctionNames;
  readonly signInLimits: SignInLimits;
  /** Limits the accounts that one address registers. */
  readonly registrations: RegistrationLimits;
  /** Limits the reports that one client address sends. */
  readonly reportLimits: ReportLimits;
  /** The limits of `reportLimits`, as the API shows them. */
  readonly addressLimits: Usage['address_limits'];
  /** Limits the bytes that projects may store. */
  readonly storageBudget: StorageBudget;
  /** Serves teams by turns when reports arrive faster than they can be handled. */
  readonly reportQueue: ReportQueue;
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
  driver?: StorageDriver;
  /** True if another server writes to the storage: nothing is written before `Store.takeOver`. */
  isStandby?: boolean;
  now?: () => number;
  timing?: Timing;
  /** Replaces the API of Stripe. */
  stripeApi?: StripeApi;
  /** Replaces the processes that parse sources. */
  openFunctionNames?: (options: FunctionNamesOptions) => FunctionNames;
  /** Replaces the machine's lookup of host names. */
  resolveHost?: ResolveHost;
  /** Replaces standard output. */
  logTo?: DestinationStream;
}

/**
 * Opens the storage and all services. Rejects if the storage is in use, damaged or not writable, or if a setting needs
 * a package that is not installed.
 */
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
    sourceMapDays: config.sourceMapDays,
    projectBytes: config.projectMb * bytesPerMb,
    now,
    timing,
    warn: (err, message) => log.warn({ ...(err !== null && { err }) }, message),
    isStandby: edges.isStandby ?? false,
  });
  try {
    if (!edges.isStandby && store.model.tables.settings.get(endSessionsSetting))
      await store.commit((transaction) => {
        endAllSessions(transaction);
        transaction.remove('settings', endSessionsSetting);
      });
    // In parallel, so that they share one write on a first start.
    const [accessTokens] = await Promise.all([createAccessTokens(store, now), ensureOwner(store, config)]);
    const ownerSetup = new OwnerSetup(store, config, (err, message) => log.warn({ err }, message));
    const mapIndexing = new MapIndexing();
    const functionNames = (edges.openFunctionNames ?? openFunctionNames)({
      warn: (err, { hash, bytes }) =>
        log.warn({ err, source_hash: hash, source_bytes: bytes }, 'the functions of a source could not be read'),
      teamOf: (projectId) => store.model.tables.projects.get(projectId)?.team_id ?? 0,
      onLateNames: (projectId) =>
        void store
          .commit((transaction) => recordLateNames(transaction, projectId))
          .catch((err: unknown) =>
            log.warn(
              { err, project_id: projectId },
              'late names of functions could not be recorded; culprits are renewed with a later report',
            ),
          ),
    });
    const beforeClose: Services['beforeClose'] = [];
    const plans = new Plans(config);
    warnOfRemovedPlans(log, plans, store.model);
    const trustedProxies = new TrustedProxies(config.trustProxy, (peer) => warnOfProxy(log, peer));
    const storageBudget = new StorageBudget({
      bytesPerHour: config.storedMbPerHour * bytesPerMb,
      projectBytes: config.projectMb * bytesPerMb,
      room: store.room,
      sizes: store.model.groups.sizes,
      now: () => timing.now(),
    });
    const reportLimits = new ReportLimits({
      reportsPerMinute: config.addressReportsPerMinute,
      bytesPerMinute: config.addressMbPerMinute * bytesPerMb,
      proxies: trustedProxies,
      now: () => timing.now(),
      onRejected: (address) =>
        log.warn(
          { address },
          'reports of an address are rejected: it has sent more than SERVICE_ADDRESS_REPORTS_PER_MINUTE or SERVICE_ADDRESS_MB_PER_MINUTE',
        ),
    });
    const addressLimits = {
      reports_per_minute: config.addressReportsPerMinute,
      bytes_per_minute: config.addressMbPerMinute * bytesPerMb,
    };
    const usageSources = { store, plans, now, storageBudget, addressLimits };
    const stream = new Hub({ store, now, timing, usageOf: (teamId) => teamUsage(usageSources, teamId) });
    return {
      config,
      baseUrl: config.baseUrl ?? defaultBaseUrl(config),
      log,
      requestCounters: new RequestCounters(),
      droppedItems: new DroppedItemCounts(now()),
      now,
      store,
      accessTokens,
      plans,
      payments,
      mailer,
      resolveHost: edges.resolveHost ?? createResolveHost(config.allowPrivateWebhooks),
      testMessageOutcomes: new TestMessageOutcomes(),
      allowList: new AllowList(config.corsOrigins, store.model),
      uploadBudget: new UploadBudget(),
      mapIndexing,
      functionNames,
      mapReader: new MapReader(store, mapIndexing, now, (err, { id }, message) =>
        log.warn({ err, source_map_id: id }, message),
      ),
      signInLimits: new SignInLimits(now),
      registrations: new RegistrationLimits(() => timing.now()),
      storageBudget,
      reportQueue: new ReportQueue(() => timing.now()),
      stream,
      trustedProxies,
      reportLimits,
      addressLimits,
      rejectedOrigins: new Set(),
      ownerSetup,
      beforeClose,
      async close() {
        await Promise.allSettled(beforeClose.splice(0).map((end) => end()));
        mailer?.close();
        stream.close();
        await ownerSetup.close();
        await store.close();
        await Promise.all([mapIndexing.close(), functionNames.close()]);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const bytesPerMb = 1024 * 1024;

/** Warns of plans that teams have and the settings do not: these teams get the default plan, with other limits. */
function warnOfRemovedPlans(log: Logger, plans: Plans, { tables }: Store['model']): void {
  const removed = new Map<string, number>();
  for (const { plan } of tables.teams.values())
    if (plan !== undefined && !plans.find(plan)) removed.set(plan, (removed.get(plan) ?? 0) + 1);
  for (const [plan, teams] of removed)
    log.warn(
      { plan, teams, used: plans.of(undefined).id },
      `the plan ${plan} is not in SERVICE_PLANS: its teams have the default plan until it is listed there, or until ` +
        '`service-server plan` assigns another',
    );
}

function warnOfProxy(log: Logger, peer: string): void {
  log.warn(
    { peer },
    'a request was forwarded by a peer that is not trusted: if this is your proxy, name it in ' +
      'SERVICE_TRUST_PROXY; until then all its clients count as one, and 50 wrong passwords lock out all of them',
  );
}
