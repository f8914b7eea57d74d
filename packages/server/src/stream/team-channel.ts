import type { StreamEvent } from '@service/protocol';
import { eventFrames, type SerializedEvent, type Frames } from './sse-frames.ts';
import { cursorAt, earlierCursor, laterCursor, type EventCursor, type EventCursors } from './event-cursor.ts';
import type { Subscriber } from './subscriber.ts';

/** Milliseconds between two updates of the same group. */
const groupMs = 250;
/** Milliseconds between two usage events. */
const usageMs = 1_000;
/** Once a write has this many bytes, the rest is sent with the next one. */
const maxWriteBytes = 96 * 1024;
/** Above this size the queue is replaced by a reset: the clients load the lists again. */
const queuedBytes = 4 * 1024 * 1024;
/** The key of subscribers that receive all projects of the team. */
const wholeTeam = 0;

/** A serialized event that waits for the next write. */
interface QueuedEvent extends SerializedEvent {
  bytes: number;
  projectId: number;
  /**
   * The last batch that the event includes. Subscribers that started at this batch or later don't get the event.
   * Infinity: all subscribers get it.
   */
  until: number;
  /** True for the last event of a project. */
  isEnd: boolean;
}

/** State and functions of the hub that a flush needs. */
export interface FlushContext {
  /** Milliseconds of `Timing`. */
  now: number;
  /** The newest batch whose changes are queued. */
  seen: number;
  /** Returns the current state of a group and the batch that changed it last, or null if it was deleted or merged. */
  groupUpdated(groupId: number): { event: StreamEvent; until: number } | null;
  usage(): { event: StreamEvent; text: string };
  reset(): StreamEvent;
  /** Sends to a subscriber. Removes a subscriber that is too far behind. */
  send(subscriber: Subscriber, frames: Frames): void;
  end(subscriber: Subscriber): void;
}

/** The subscribers of one team, and the events that are pending for them. */
export class TeamChannel {
  readonly teamId: number;
  readonly #cursors: EventCursors;
  /** Subscribers by project, or by `wholeTeam`. */
  readonly #subscribers = new Map<number, Set<Subscriber>>();
  #queue: QueuedEvent[] = [];
  /** Changed groups, each with the last batch before its change. The group that waits longest comes first. */
  readonly #changed = new Map<number, number>();
  /** When each group was published last. The most recent one comes last. */
  readonly #publishedAt = new Map<number, number>();
  /** Usage as it was published last, the time of that event, and the event of the next write. */
  #usage: string;
  #usageAt = -Infinity;
  #usageDue: QueuedEvent | null = null;
  #flushedAt = -Infinity;

  /** `usage` is the usage that new subscribers already know. */
  constructor(teamId: number, cursors: EventCursors, usage: string) {
    this.teamId = teamId;
    this.#cursors = cursors;
    this.#usage = usage;
  }

  add(subscriber: Subscriber): void {
    const project = subscriber.options.projectId ?? wholeTeam;
    const subscribers = this.#subscribers.get(project);
    if (subscribers) subscribers.add(subscriber);
    else this.#subscribers.set(project, new Set([subscriber]));
  }

  remove(subscriber: Subscriber): void {
    const project = subscriber.options.projectId ?? wholeTeam;
    const subscribers = this.#subscribers.get(project);
    subscribers?.delete(subscriber);
    if (subscribers?.size === 0) this.#subscribers.delete(project);
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.size > 0;
  }

  get isPending(): boolean {
    return this.#queue.length > 0 || this.#changed.size > 0 || this.#usageDue !== null;
  }

  /** Returns whether the last flush was at least `ms` milliseconds ago. */
  isIdleFor(ms: number, now: number): boolean {
    return now - this.#flushedAt >= ms;
  }

  /** Returns whether any subscriber receives events of this project. */
  hasSubscribersFor(projectId: number): boolean {
    return this.#subscribers.has(wholeTeam) || this.#subscribers.has(projectId);
  }

  /** Returns the cursor up to which everything was published. `seen` is the newest batch whose changes are queued. */
  cursor(seen: number): EventCursor {
    const newest = cursorAt(seen);
    const queued = earlierCursor(newest, this.#queue[0]?.after ?? newest);
    return earlierCursor(queued, updatesAfter(this.#oldestChange() ?? seen));
  }

  /** Queues an event that describes the changes after a cursor and up to a batch. */
  enqueue(event: StreamEvent, after: EventCursor, until: number): void {
    this.#queue.push(toQueuedEvent(event, after, until));
  }

  /** Marks a group to be published with its state at that time. */
  markChanged(groupId: number, after: number): void {
    if (!this.#changed.has(groupId)) this.#changed.set(groupId, after);
  }

  /** Records that a queued event already contains the current state of the group. */
  markPublished(groupId: number, now: number): void {
    this.#changed.delete(groupId);
    this.#publishedAt.delete(groupId);
    this.#publishedAt.set(groupId, now);
  }

  /** Queues a usage event for the next write if usage differs from the last event. */
  checkUsage(flushContext: FlushContext): void {
    const { now } = flushContext;
    if (now - this.#usageAt < usageMs) return;
    const { event, text } = flushContext.usage();
    if (text === this.#usage) return;
    this.#usage = text;
    this.#usageAt = now;
    // A client that resumes gets the usage anyway, so the event holds no id back.
    this.#usageDue = toQueuedEvent(event, updatesAfter(Infinity), Infinity);
  }

  /** Publishes what is due, with one write per subscriber. */
  flush(flushContext: FlushContext): void {
    const { now, seen } = flushContext;
    this.#flushedAt = now;
    this.checkUsage(flushContext);
    if (bytesOf(this.#queue) > queuedBytes) this.#replaceByReset(flushContext);
    const due = this.#takeDue(flushContext);
    if (due.length === 0) return;
    const cursor = this.cursor(seen);
    for (const [project, subscribers] of this.#subscribers) {
      const events = project === wholeTeam ? due : due.filter(({ projectId }) => concerns(project, projectId));
      if (events.length > 0) this.#publish(subscribers, events, cursor, flushContext);
    }
    for (const { isEnd, projectId } of due)
      if (isEnd) for (const subscriber of this.#subscribers.get(projectId) ?? []) flushContext.end(subscriber);
  }

  #publish(
    subscribers: ReadonlySet<Subscriber>,
    events: readonly QueuedEvent[],
    cursor: EventCursor,
    flushContext: FlushContext,
  ): void {
    const first = Math.min(...events.map(({ until }) => until));
    const framed = new Map<number, Frames | null>();
    for (const subscriber of subscribers) {
      // Subscribers that joined while these events waited skip some of them. All others share the same bytes.
      const startBatch = subscriber.startBatch >= first ? subscriber.startBatch : 0;
      let frames = framed.get(startBatch);
      if (frames === undefined) framed.set(startBatch, (frames = this.#encode(events, startBatch, cursor)));
      if (frames) flushContext.send(subscriber, frames);
    }
  }

  /** Encodes the events that a subscriber does not have yet. Returns null if it has all of them. */
  #encode(events: readonly QueuedEvent[], startBatch: number, cursor: EventCursor): Frames | null {
    const unseen = events.filter(({ until }) => until > startBatch);
    if (unseen.length === 0) return null;
    const start = cursorAt(startBatch);
    const framed = unseen.map(({ text, after }) => ({ text, after: laterCursor(after, start) }));
    return eventFrames(framed, laterCursor(cursor, start), this.#cursors);
  }

  /** Takes the events of one write: queued events first, then groups whose interval has passed. */
  #takeDue(flushContext: FlushContext): QueuedEvent[] {
    const queued = this.#takeQueued();
    // The event that opens a group must precede its updates.
    if (this.#queue.length > 0) return queued;
    const changed = this.#takeChanged(flushContext, maxWriteBytes - bytesOf(queued));
    const usage = this.#usageDue ? [this.#usageDue] : [];
    this.#usageDue = null;
    return [...queued, ...changed, ...usage];
  }

  #takeQueued(): QueuedEvent[] {
    let bytes = 0;
    const end = this.#queue.findIndex((event) => {
      const isFull = bytes >= maxWriteBytes;
      bytes += event.bytes;
      return isFull;
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  #takeChanged(flushContext: FlushContext, maxBytes: number): QueuedEvent[] {
    const taken: QueuedEvent[] = [];
    let room = maxBytes;
    this.#removeExpired(flushContext.now);
    for (const [groupId, after] of this.#changed) {
      if (room <= 0) break;
      if (this.#publishedAt.has(groupId)) continue;
      this.markPublished(groupId, flushContext.now);
      const updated = flushContext.groupUpdated(groupId);
      if (!updated) continue;
      const event = toQueuedEvent(updated.event, updatesAfter(after), updated.until);
      taken.push(event);
      room -= event.bytes;
    }
    return taken;
  }

  /** Removes the groups whose interval has passed, so they may be published again. */
  #removeExpired(now: number): void {
    for (const [groupId, publishedAt] of this.#publishedAt) {
      if (now - publishedAt < groupMs) return;
      this.#publishedAt.delete(groupId);
    }
  }

  /** Replaces the queue by a reset. Ends of projects stay queued: their subscribers have no list to load again. */
  #replaceByReset(flushContext: FlushContext): void {
    const ends = this.#queue.filter(({ isEnd }) => isEnd);
    this.#queue = [];
    this.#changed.clear();
    const seen = cursorAt(flushContext.seen);
    this.enqueue(flushContext.reset(), seen, Infinity);
    this.#queue.push(...ends.map((event) => ({ ...event, after: seen })));
  }

  #oldestChange(): number | undefined {
    for (const after of this.#changed.values()) return after;
    return undefined;
  }
}

/** Returns a cursor that holds back the updates of groups only. */
function updatesAfter(batch: number): EventCursor {
  return { updates: batch, events: Infinity };
}

function toQueuedEvent(event: StreamEvent, after: EventCursor, until: number): QueuedEvent {
  const text = JSON.stringify(event);
  const projectId = event.project_id ?? wholeTeam;
  return { text, bytes: Buffer.byteLength(text), projectId, after, until, isEnd: event.type === 'project.deleted' };
}

function bytesOf(events: readonly QueuedEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

function concerns(project: number, projectId: number): boolean {
  return projectId === project || projectId === wholeTeam;
}
