import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestListener } from 'node:http';
import type { Config } from '../config.ts';
import { createApp } from '../app.ts';
import { createRequestHandler } from '../http-server/request-handler.ts';
import { startBackground } from '../background.ts';
import { openServices, type Services } from '../services.ts';
import type { Peer, PostgresLease } from '../storage/postgres/postgres-lease.ts';
import { UnknownOutcomeError } from '../storage/postgres/primary-connection.ts';
import { openPostgresDriver, type PostgresDriver } from '../storage/postgres/postgres.ts';
import { DamagedStorageError, storageUnusable, UnusableStorageError } from '../store/log/storage-errors.ts';
import { HolderProbe } from './holder-probe.ts';

/** How often a standby reads what the holder has written. */
const followMs = 200;
const reopenMs = 500;
/** A killed process counts as alive for 5 seconds. */
const sameAddressMs = 8_000;

/**
 * What a node has opened. All of it is replaced when another server has taken the log, or the storage has lost writes.
 */
interface OpenedNode {
  driver: PostgresDriver;
  services: Services;
  handle: RequestListener;
}

/**
 * One of several servers on one storage. A standby follows the log, and takes it over when no other server holds it. A
 * server that has lost the log reads the storage again.
 */
export class ClusterNode {
  /** Called when the holder may have changed. */
  onChange: () => void = () => undefined;
  /** Called repeatedly while the holder does not respond to this node. */
  onUnreachable: () => void = () => undefined;
  readonly #config: Config;
  #opened: OpenedNode | null = null;
  #opening: PostgresDriver | null = null;
  #probe: HolderProbe | null = null;
  /** True while this node handles requests itself. */
  #isActive = false;
  #isTaking = false;
  #isStopping = false;
  #address = '';
  #baseUrl: string | null = null;
  /** `performance.now()` when another server was first seen with the address of this one. */
  #sameAddressSince: number | null = null;
  /** Set once PostgreSQL has lost writes that this node knows. */
  #lost: Error | null = null;
  #waiting: (() => void)[] = [];
  #running: Promise<void> = Promise.resolve();
  #following: Promise<void> | null = null;
  /** Ends the background jobs of this node. */
  #endBackground: () => Promise<void> = async () => undefined;

  constructor(config: Config) {
    this.#config = config;
  }

  /**
   * Opens the storage. Resolves once this node can handle or forward requests. Rejects if the storage can't be used.
   */
  async open(): Promise<void> {
    await this.#open();
    this.#probe = new HolderProbe(
      () => (this.#isActive ? null : this.otherHolder),
      () => void this.#take(true),
      () => this.onUnreachable(),
    );
    this.#running = this.#run();
  }

  get services(): Services {
    if (!this.#opened) throw new Error('The storage is being opened.');
    return this.#opened.services;
  }

  get isOpen(): boolean {
    return this.#opened !== null;
  }

  /** True while this node handles requests itself. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** The other server that holds the log and accepts forwarded requests, or null. */
  get otherHolder(): Peer | null {
    const lease = this.#lease;
    const holder = lease && !lease.isHolder ? lease.tenure.holder : null;
    // A previous process of this server may have had the same address.
    return holder?.isReady && holder.address !== '' && holder.address !== this.#address ? holder : null;
  }

  /** This node as a peer: it also forwards requests to itself. */
  get self(): Peer | null {
    const lease = this.#lease;
    return lease && { ...lease.self, address: this.#address, isReady: true, isAlive: true };
  }

  /** The handler of this node, or null unless PostgreSQL has just confirmed that this node holds the log. */
  get confirmedHandler(): RequestListener | null {
    return this.#isActive && this.#opened?.driver.lease.isConfirmed ? this.#opened.handle : null;
  }

  /** Handles a request from the state of this node, which may be older than that of the holder. */
  handleLocally: RequestListener = (request, response) => {
    if (this.#opened) this.#opened.handle(request, response);
    else response.destroy();
  };

  /** Reads what the holder has written until now, if this node does not hold the log. Never rejects. */
  async followHolder(): Promise<void> {
    // A read that began earlier may miss the newest batches.
    await this.#following;
    if (this.#isActive || !this.#opened) return;
    this.#following ??= this.#opened.services.store
      .followOthers()
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => (this.#following = null));
    await this.#following;
  }

  /** Sets the URLs of this server, once it listens. */
  announce(baseUrl: string, clusterUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#address = clusterUrl;
    if (!this.#opened) return;
    this.#opened.driver.lease.address = clusterUrl;
    this.#opened.services.baseUrl = baseUrl;
    void this.#opened.driver.lease.sendHeartbeat().catch(() => undefined);
  }

  /**
   * If this node is active, asks PostgreSQL whether this node still holds the log, and resolves if so. Otherwise
   * resolves when the holder may have changed, or after `ms`.
   */
  async waitForHolder(ms: number): Promise<void> {
    if (this.#isActive) await this.#lease?.confirm().catch(() => undefined);
    if (this.confirmedHandler) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      setTimeout(resolve, ms).unref();
    });
  }

  /** Stops handling requests here, and ends live streams. Requests that have begun continue. */
  beginHandOver(): void {
    this.#isStopping = true;
    this.#isActive = false;
    this.#opened?.services.stream.close();
  }

  /** Ends the background jobs, because the next holder begins them. Never rejects. */
  endBackground(): Promise<void> {
    return this.#endBackground();
  }

  /** Gives up the log, so that another server takes it. */
  async handOver(): Promise<void> {
    await this.#lease?.release();
  }

  /** `isHanging` says that PostgreSQL does not respond: then nothing waits for it. */
  async close(isHanging = false): Promise<void> {
    this.#isStopping = true;
    this.#probe?.close();
    if (isHanging) await this.#disconnect();
    await this.#running;
    await this.#closeOpened();
    this.#wake();
  }

  /** All that was acknowledged is stored, so nothing is lost. */
  async #disconnect(): Promise<void> {
    this.#opened?.services.log.warn('PostgreSQL does not respond; another server takes the log over in 5 seconds');
    await (this.#opened?.driver ?? this.#opening)?.disconnect();
  }

  get #lease(): PostgresLease | null {
    return (this.#opened?.driver ?? this.#opening)?.lease ?? null;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      await sleep(followMs, undefined, { ref: false });
      try {
        await this.#step();
      } catch (error) {
        if (error instanceof DamagedStorageError || error instanceof UnusableStorageError) await this.#reopen(error);
      }
    }
  }

  async #step(): Promise<void> {
    if (!this.#opened || this.#isStopping) return;
    const { driver, services } = this.#opened;
    if (this.#lost) throw this.#lost;
    // Closing gives up the log, so that another server takes it.
    if (driver.lease.unusable) throw driver.lease.unusable;
    if (this.#isActive && !driver.lease.isHolder) {
      await driver.lease.check();
      if (!driver.lease.isHolder) throw new UnusableStorageError('Another server holds the log now.');
    }
    if (this.#isActive) return;
    await services.store.followOthers();
    const { holder } = driver.lease.tenure;
    // A node that has taken the log may not be active yet, because PostgreSQL was slow.
    if (!holder?.isAlive || driver.lease.isHolder) await this.#take(false);
    else if (holder.address === this.#address) this.#warnOfSameAddress(services);
    else this.#sameAddressSince = null;
  }

  /** Warns once if the holder stays: a previous process of this server counts as alive only for seconds. */
  #warnOfSameAddress({ log }: Services): void {
    this.#sameAddressSince ??= performance.now();
    if (performance.now() - this.#sameAddressSince < sameAddressMs) return;
    this.#sameAddressSince = Infinity;
    log.warn(
      `the server that holds the log announces the same URL as this one (${this.#address}), so nothing can be forwarded ` +
        'to it: start each server with a --host or SERVICE_CLUSTER_URL at which the others reach it',
    );
  }

  async #open(): Promise<void> {
    const driver = await openPostgresDriver(this.#config.storage as string, {
      warn: (message) => this.#opened?.services.log.warn(message),
    });
    this.#opening = driver;
    this.#lost = null;
    driver.lease.address = this.#address;
    try {
      await driver.lease.start();
      const isHolder = await this.#becomeMember(driver);
      const services = await openServices(this.#config, { driver, isStandby: !isHolder });
      if (this.#baseUrl !== null) services.baseUrl = this.#baseUrl;
      driver.lease.onCheck(() => this.#wake());
      void driver.lost.then((error) => (this.#lost = error));
      const handle = createRequestHandler(services, createApp(services));
      this.#opened = { driver, services, handle };
      if (isHolder) await this.#activate(this.#opened);
    } catch (error) {
      await driver.close();
      throw error instanceof UnknownOutcomeError ? storageUnusable(driver.name, error) : error;
    } finally {
      this.#opening = null;
    }
  }

  /** Resolves with true if this server holds the log, and with false once another one does and is ready. */
  async #becomeMember({ lease }: PostgresDriver): Promise<boolean> {
    for (;;) {
      if (lease.tenure.holder?.isAlive && lease.tenure.holder.isReady && !lease.isHolder) return false;
      if ((!lease.tenure.holder?.isAlive || lease.isHolder) && (await lease.take())) return true;
      if (this.#isStopping) throw new UnusableStorageError('The server is stopping.');
      await sleep(followMs);
      await lease.check();
    }
  }

  async #take(isGone: boolean): Promise<void> {
    const opened = this.#opened;
    if (this.#isTaking || this.#isActive || this.#isStopping || !opened) return;
    this.#isTaking = true;
    try {
      if (!(await opened.driver.lease.take(isGone))) return;
      await opened.services.store.takeOver();
      await this.#activate(opened);
      opened.services.log.info('this server has taken over the log');
    } catch (error) {
      opened.services.log.warn({ err: error }, 'the log could not be taken over; the next attempt follows');
    } finally {
      this.#isTaking = false;
    }
  }

  async #activate({ driver, services }: OpenedNode): Promise<void> {
    this.#endBackground = startBackground(services);
    // Standbys open their services once this server is ready, and then find the owner.
    await services.ownerSetup.attempt.catch(() => undefined);
    driver.lease.isReady = true;
    this.#isActive = true;
    await driver.lease.sendHeartbeat().catch(() => undefined);
    this.#wake();
  }

  async #reopen(error: Error): Promise<void> {
    this.#opened?.services.log.error({ err: error }, 'the storage is read again');
    await this.#closeOpened();
    let printed = '';
    while (!this.#isStopping) {
      try {
        await this.#open();
        return;
      } catch (reason) {
        const { message } = reason as Error;
        if (message !== printed) console.error(`service-server: ${message}`);
        printed = message;
        await sleep(reopenMs);
      }
    }
  }

  async #closeOpened(): Promise<void> {
    const opened = this.#opened;
    this.#isActive = false;
    if (!opened) return;
    // An append whose outcome is unknown must not delay closing.
    opened.driver.log.close();
    await opened.services.close().catch(() => undefined);
    this.#opened = null;
  }

  #wake(): void {
    this.onChange();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
