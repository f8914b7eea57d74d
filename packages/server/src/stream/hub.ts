import type { StreamEvent, Usage } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Model } from '../store/model/model.ts';
import type { Store } from '../store/store.ts';
import type { Timing } from '../time/timing.ts';
import { replayMissed } from './replay-missed.ts';
import { TeamChannel, type FlushContext } from './team-channel.ts';
import { toStreamEvent, groupUpdated, reset, teamIdOf, usageUpdated } from './events.ts';
import { eventFrames, openingFrame, heartbeatFrame, type Frames } from './sse-frames.ts';
import { cursorAt, EventCursors, laterCursor, type EventCursor } from './event-cursor.ts';
import { StreamLimits } from './stream-limits.ts';
import { StreamWriter } from './stream-writer.ts';
import { Subscriber, type SubscriberOptions, type Sink } from './subscriber.ts';

/** Milliseconds between writes while events are pending: below 20 writes a second, since late timers may catch up. */
const writeMs = 55;
/**
 * Milliseconds between checks of access, usage and heartbeats. A check also does what becomes due before the next one.
 */
const hubCheckMs = 1_000;
const heartbeatMs = 15_000;
/** A replay goes out in one write. A larger one is replaced by a reset. */
const maxReplayBytes = 192 * 1024;
/** The number of cached replays, for other clients that resume from the same cursor. */
const maxCachedReplays = 32;
const subscribeRetrySeconds = 10;

export interface HubOptions {
  store: Pick<Store, 'model' | 'onCommit'>;
  usageOf: (teamId: number) => Usage;
  /** Milliseconds since 1970. */
  now: () => number;
  timing: Timing;
}

/** A stream that is counted in the limits. The owner starts it with a sink, and must cancel it at the end. */
export interface Subscription {
  start(sink: Sink): void;
  cancel(): void;
}

/**
 * Publishes events to subscribers. It follows the log, so ingestion does not depend on it, and without subscribers it
 * does nothing. Changes are read from the model: each group stores the batch that changed it last, and the event log
 * stores the less frequent events. A client that reconnects is served from the same data, also after a restart.
 */
export class Hub {
  /** For the metrics: events sent, and subscribers that were disconnected because they fell behind. */
  readonly counts = { events: 0, slowDisconnects: 0 };
  readonly #options: HubOptions;
  readonly #model: Model;
  readonly #cursors: EventCursors;
  readonly #channels = new Map<number, TeamChannel>();
  readonly #subscribers = new Set<Subscriber>();
  readonly #limits = new StreamLimits();
  readonly #writer = new StreamWriter();
  /** The newest batch, number of changes and version of access that were processed. */
  #seen = 0;
  #changesSeen = 0;
  #accessSeen = 0;
  #isWakePending = false;
  #isClosed = false;
  #stops: (() => void)[] = [];
  #stopTicks: (() => void) | null = null;
  readonly #replays = { seen: 0, frames: new Map<string, Frames>() };

  constructor(options: HubOptions) {
    this.#options = options;
    this.#model = options.store.model;
    this.#cursors = new EventCursors(this.#model);
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  /** The cursor of the newest batch. A client that resumes from it receives every later event. */
  get currentCursor(): string {
    return this.#cursors.format(cursorAt(this.#model.batchNumber));
  }

  /** Reserves a stream. Throws `shutting_down` after `close`, and `too_many_requests` as `StreamLimits` does. */
  subscribe(options: SubscriberOptions): Subscription {
    if (this.#isClosed)
      throw new ProblemError('shutting_down', 'The server is stopping.', { retryAfterSeconds: subscribeRetrySeconds });
    const release = this.#limits.open(options);
    let isCancelled = false;
    let subscriber: Subscriber | null = null;
    return {
      start: (sink) => {
        if (isCancelled || this.#isClosed) sink.end();
        else subscriber = this.#start(options, sink);
      },
      cancel: () => {
        if (isCancelled) return;
        isCancelled = true;
        release();
        if (!subscriber) return;
        subscriber.cancel();
        this.#remove(subscriber);
      },
    };
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.#isClosed = true;
    for (const subscriber of this.#subscribers) this.#end(subscriber);
  }

  #start(options: SubscriberOptions, sink: Sink): Subscriber {
    if (this.#subscribers.size === 0) this.#startFollowing();
    this.#collectChanges();
    const { teamId, lastEventId } = options;
    const subscriber = new Subscriber(options, sink, this.#seen, this.#options.timing.now() + heartbeatMs);
    let channel = this.#channels.get(teamId);
    if (!channel)
      this.#channels.set(teamId, (channel = new TeamChannel(teamId, this.#cursors, this.#usageText(teamId))));
    this.#subscribers.add(subscriber);
    channel.add(subscriber);
    subscriber.send(openingFrame(lastEventId === null ? this.#cursors.format(cursorAt(this.#seen)) : null));
    if (lastEventId !== null) this.#send(subscriber, this.#replayFor(options, lastEventId));
    return subscriber;
  }

  /** Returns the events that a resuming client has missed, or a reset if they are unknown or too large. */
  #replayFor(options: SubscriberOptions, lastEventId: string): Frames {
    const { frames } = this.#replays;
    if (this.#replays.seen !== this.#seen) frames.clear();
    this.#replays.seen = this.#seen;
    // After a restart many clients reconnect together, most of them with the same cursor.
    const key = `${options.teamId} ${options.projectId} ${lastEventId}`;
    const cached = frames.get(key);
    if (cached) return cached;
    const replay = this.#buildReplay(options, lastEventId);
    if (frames.size < maxCachedReplays) frames.set(key, replay);
    return replay;
  }

  #buildReplay(options: SubscriberOptions, lastEventId: string): Frames {
    const seen = cursorAt(this.#seen);
    const now = this.#options.now();
    const since = this.#cursors.parse(lastEventId);
    const events = since === null ? null : replayMissed(this.#model, since, options, now);
    if (events) {
      // The previous usage is unknown, so the current usage is always sent.
      const usage = usageUpdated(this.#options.usageOf(options.teamId), now);
      const frames = this.#encode([...events, usage], since ?? seen, seen);
      if (frames.bytes.length <= maxReplayBytes) return frames;
    }
    return this.#encode([reset(now)], seen, seen);
  }

  /** Encodes events that describe the changes between two cursors. */
  #encode(events: readonly StreamEvent[], after: EventCursor, until: EventCursor): Frames {
    const framed = events.map((event) => ({ text: JSON.stringify(event), after }));
    return eventFrames(framed, until, this.#cursors);
  }

  /** Starts to follow the log and the clock. Called for the first subscriber. */
  #startFollowing(): void {
    const { store, timing } = this.#options;
    this.#seen = this.#model.batchNumber;
    this.#changesSeen = this.#model.groups.changes.count;
    this.#accessSeen = accessVersion(this.#model);
    this.#stops = [store.onCommit(() => this.#scheduleWake()), timing.every(hubCheckMs, () => this.#onInterval())];
  }

  #stopFollowing(): void {
    for (const end of this.#stops.splice(0)) end();
    this.#stopTicks?.();
    this.#stopTicks = null;
    this.#replays.frames.clear();
  }

  /** Publishes in a later task, so that the callers that wait for the batch are resolved first. */
  #scheduleWake(): void {
    if (this.#isWakePending) return;
    this.#isWakePending = true;
    setImmediate(() => {
      this.#isWakePending = false;
      if (this.#subscribers.size > 0) this.#wake();
    });
  }

  #wake(): void {
    this.#collectChanges();
    const access = accessVersion(this.#model);
    if (access !== this.#accessSeen) this.#endExpired();
    this.#accessSeen = access;
    const now = this.#options.timing.now();
    // The first event after a pause is published immediately; later ones wait for the next tick and go out together.
    for (const channel of this.#channels.values())
      if (channel.isPending && channel.isIdleFor(writeMs, now)) this.#flush(channel);
    this.#startTicks();
  }

  /** Reads the changes since the last call and queues them in the channels that have subscribers for them. */
  #collectChanges(): void {
    const { batchNumber, eventLog, groups } = this.#model;
    const after = this.#seen;
    if (batchNumber === after) return;
    const now = this.#options.now();
    const published = new Set<number>();
    for (const logged of eventLog.since(after)) {
      const channel = this.#channels.get(teamIdOf(this.#model, logged) ?? 0);
      const event = channel?.hasSubscribersFor(logged.projectId) ? toStreamEvent(this.#model, logged, now) : null;
      if (!channel || !event) continue;
      channel.enqueue(event, { updates: after, events: logged.batch - 1 }, batchNumber);
      if (!('group' in event)) continue;
      channel.markPublished(logged.groupId, this.#options.timing.now());
      published.add(logged.groupId);
    }
    for (const slot of this.#changedSlots()) this.#collectChange(slot, after, published);
    this.#changesSeen = groups.changes.count;
    this.#seen = batchNumber;
  }

  /** Yields the slots that may have changed. A slot that changed repeatedly is yielded repeatedly. */
  *#changedSlots(): Generator<number> {
    const { changes, columns } = this.#model.groups;
    if (changes.reachesBackTo(this.#changesSeen))
      for (let index = this.#changesSeen; index < changes.count; index++) yield changes.at(index);
    else for (let slot = 0; slot < columns.length; slot++) yield slot;
  }

  #collectChange(slot: number, after: number, published: ReadonlySet<number>): void {
    const { columns } = this.#model.groups;
    const id = columns.ids[slot] ?? 0;
    const isShown = id !== 0 && columns.merged[slot] === 0;
    if (!isShown || (columns.lastBatches[slot] ?? 0) <= after || published.has(id)) return;
    const projectId = columns.projects[slot] ?? 0;
    const channel = this.#channels.get(this.#model.tables.projects.get(projectId)?.team_id ?? 0);
    if (channel?.hasSubscribersFor(projectId)) channel.markChanged(id, after);
  }

  /** Starts the ticks that flush channels. They stop when nothing is pending. */
  #startTicks(): void {
    this.#stopTicks ??= this.#options.timing.every(writeMs, () => this.#tick());
  }

  #tick(): void {
    const now = this.#options.timing.now();
    let isPending = false;
    for (const channel of this.#channels.values()) {
      if (!channel.isPending) continue;
      isPending = true;
      // A channel that was flushed a moment ago waits for the next tick.
      if (channel.isIdleFor(writeMs / 2, now)) this.#flush(channel);
    }
    if (isPending) return;
    this.#stopTicks?.();
    this.#stopTicks = null;
  }

  /** Publishes what is due, unless the last events of the team are still being written. */
  #flush(channel: TeamChannel): void {
    if (!this.#writer.isBusy(channel.teamId)) channel.flush(this.#flushContext(channel));
  }

  /** Handles what depends on the clock: expired access, the start of a month, heartbeats. */
  #onInterval(): void {
    this.#collectChanges();
    this.#endExpired();
    for (const channel of this.#channels.values()) channel.checkUsage(this.#flushContext(channel));
    this.#startTicks();
    const now = this.#options.timing.now();
    const heartbeats = new Map<string, Buffer>();
    for (const subscriber of this.#subscribers) {
      if (subscriber.heartbeatDueAt - now >= hubCheckMs) continue;
      subscriber.heartbeatDueAt += heartbeatMs;
      const cursor = this.#cursors.format(this.#cursorOf(subscriber));
      let bytes = heartbeats.get(cursor);
      if (!bytes) heartbeats.set(cursor, (bytes = heartbeatFrame(cursor)));
      this.#send(subscriber, { bytes, events: 0 });
    }
  }

  /** Ends the streams whose access has ended or ends before the next check. */
  #endExpired(): void {
    const now = this.#options.now();
    for (const subscriber of this.#subscribers) {
      if (subscriber.options.endsAt() > now + hubCheckMs) continue;
      const cursor = this.#cursorOf(subscriber);
      this.#send(subscriber, this.#encode([reset(now, 'signed_out')], cursor, cursor));
      this.#end(subscriber);
    }
  }

  #flushContext({ teamId }: TeamChannel): FlushContext {
    const { usageOf, now: time, timing } = this.#options;
    const now = time();
    return {
      now: timing.now(),
      seen: this.#seen,
      groupUpdated: (groupId) => {
        const { groups } = this.#model;
        const slot = groups.slotOf(groupId);
        // A group that was merged since is no longer listed.
        if (slot < 0 || groups.columns.merged[slot] === 1) return null;
        return { event: groupUpdated(this.#model, slot, now), until: groups.columns.lastBatches[slot] ?? 0 };
      },
      usage: () => {
        const usage = usageOf(teamId);
        return { event: usageUpdated(usage, now), text: JSON.stringify(usage) };
      },
      reset: () => reset(now),
      send: (subscriber, frames) => this.#send(subscriber, frames),
      end: (subscriber) => this.#end(subscriber),
    };
  }

  #usageText(teamId: number): string {
    return JSON.stringify(this.#options.usageOf(teamId));
  }

  /** Returns the cursor up to which the subscriber has received everything. */
  #cursorOf(subscriber: Subscriber): EventCursor {
    const start = cursorAt(subscriber.startBatch);
    return laterCursor(start, this.#channelOf(subscriber)?.cursor(this.#seen) ?? start);
  }

  #channelOf({ options }: Subscriber): TeamChannel | undefined {
    return this.#channels.get(options.teamId);
  }

  #send(subscriber: Subscriber, { bytes, events }: Frames): void {
    this.#writer.write(subscriber.options.teamId, () => {
      if (subscriber.send(bytes)) {
        this.counts.events += events;
      } else {
        this.counts.slowDisconnects++;
        this.#remove(subscriber);
      }
    });
  }

  #end(subscriber: Subscriber): void {
    this.#remove(subscriber);
    this.#writer.write(subscriber.options.teamId, () => subscriber.end());
  }

  #remove(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    const channel = this.#channelOf(subscriber);
    channel?.remove(subscriber);
    if (channel?.hasSubscribers === false) this.#channels.delete(channel.teamId);
    if (this.#subscribers.size === 0) this.#stopFollowing();
  }
}

/**
 * Returns a number that changes whenever a session, token or user may have been removed, a team disabled, or the
 * signing key rotated.
 */
function accessVersion({ tables: { users, sessions, personal_tokens, teams, settings } }: Model): number {
  return users.version + sessions.version + personal_tokens.version + teams.version + settings.version;
}
