import { limits, type StreamEvent, type Usage } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Model } from '../store/model/model.ts';
import type { Store } from '../store/store.ts';
import type { Timing } from '../store/log/timing.ts';
import { replayMissed } from './replay-missed.ts';
import { TeamChannel, type Flushing } from './team-channel.ts';
import { eventOf, groupUpdated, reset, teamOf, usageUpdated } from './events.ts';
import { eventFrames, opening, heartbeat, type Frames } from './frames.ts';
import { EventCursors } from './event-cursor.ts';
import { Subscriber, type SubscriberOptions, type Sink } from './subscriber.ts';

/** While there is much to tell, it is told so often: a little less than twenty times a second, for timers may hurry after they were late. */
const writeMs = 55;
/** Clocks are looked at so often: what is due before the next look is done at once. */
const beatMs = 1_000;
const signMs = 15_000;
/** What a reader that comes back has missed goes out in one write. */
const mostMissedBytes = 192 * 1024;
/** Of what was made for those who came back, so much is kept for others who come back from the same place. */
const mostKeptMissed = 32;
const retryAfterSeconds = 10;

export interface HubOptions {
  store: Pick<Store, 'model' | 'onCommit'>;
  usageOf: (teamId: number) => Usage;
  /** Milliseconds since 1970. */
  now: () => number;
  timing: Timing;
}

/** A place among the readers. Whoever has it begins to listen, or leaves it. */
export interface Subscription {
  begin(outlet: Sink): void;
  leave(): void;
}

/**
 * Tells readers what happens. It follows the log: a report knows nothing of it, and while nobody listens nothing is done.
 * What has changed stands in the model, where each group says which batch changed it last, and in the journal of what
 * seldom happens. So a reader that comes back is told in the same way, after a restart too.
 */
export class Hub {
  /** For the metrics: events that were sent, and readers that were cut off because they were behind. */
  readonly counts = { events: 0, behind: 0 };
  readonly #options: HubOptions;
  readonly #model: Model;
  readonly #positions: EventCursors;
  readonly #channels = new Map<number, TeamChannel>();
  readonly #readers = new Set<Subscriber>();
  /** How many seats are taken, by what their listeners are known by. */
  readonly #seats = new Map<string, number>();
  #seatsTaken = 0;
  /** The newest batch, and how many changes, it has looked at. */
  #seen = 0;
  #changesSeen = 0;
  #accessSeen = 0;
  #isWoken = false;
  #isClosed = false;
  #endings: (() => void)[] = [];
  #endTicks: (() => void) | null = null;
  readonly #missed = { seen: 0, frames: new Map<string, Frames>() };

  constructor(options: HubOptions) {
    this.#options = options;
    this.#model = options.store.model;
    this.#positions = new EventCursors(this.#model);
  }

  /** How many listen. */
  get readers(): number {
    return this.#readers.size;
  }

  /** The id of an event that would tell of what has just happened: who begins here is told all that happens from now on. */
  get position(): string {
    return this.#positions.write(this.#model.batchNumber);
  }

  /** Throws `too_many_requests` or `shutting_down`. */
  subscribe(listener: SubscriberOptions): Subscription {
    const { knownBy } = listener;
    const own = this.#seats.get(knownBy) ?? 0;
    if (this.#isClosed) throw new ProblemError('shutting_down', 'The server is stopping.', { retryAfterSeconds });
    if (own >= limits.streamsPerSession)
      throw tooMany(`This session or token has ${limits.streamsPerSession} live streams open. Close one of them.`);
    if (this.#seatsTaken >= limits.streams)
      throw tooMany(`The server has ${limits.streams} live streams open. Try again later.`);
    this.#seats.set(knownBy, own + 1);
    this.#seatsTaken++;
    let isLeft = false;
    let reader: Subscriber | null = null;
    return {
      begin: (outlet) => {
        if (isLeft || this.#isClosed) outlet.end();
        else reader = this.#begin(listener, outlet);
      },
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        this.#giveBack(knownBy);
        if (reader) this.#remove(reader);
      },
    };
  }

  /** Ends all streams. No more begin. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers) this.#end(reader);
  }

  #giveBack(knownBy: string): void {
    const left = (this.#seats.get(knownBy) ?? 0) - 1;
    if (left > 0) this.#seats.set(knownBy, left);
    else this.#seats.delete(knownBy);
    this.#seatsTaken--;
  }

  #begin(listener: SubscriberOptions, outlet: Sink): Subscriber {
    if (this.#readers.size === 0) this.#follow();
    this.#look();
    const { teamId, lastEventId } = listener;
    const reader = new Subscriber(listener, outlet, this.#seen, this.#options.timing.now() + signMs);
    let channel = this.#channels.get(teamId);
    if (!channel)
      this.#channels.set(teamId, (channel = new TeamChannel(teamId, this.#positions, this.#usageText(teamId))));
    this.#readers.add(reader);
    channel.add(reader);
    reader.tell(opening(lastEventId === null ? this.#positions.write(this.#seen) : null));
    if (lastEventId !== null) this.#send(reader, this.#missedBy(listener, lastEventId));
    return reader;
  }

  /** What a reader that comes back has missed; `reset` where that is not known, or is too much. */
  #missedBy(listener: SubscriberOptions, lastEventId: string): Frames {
    const { frames } = this.#missed;
    if (this.#missed.seen !== this.#seen) frames.clear();
    this.#missed.seen = this.#seen;
    // After a restart many come back at once, and most of them from the same place.
    const key = `${listener.teamId} ${listener.projectId} ${lastEventId}`;
    const known = frames.get(key);
    if (known) return known;
    const made = this.#makeMissed(listener, lastEventId);
    if (frames.size < mostKeptMissed) frames.set(key, made);
    return made;
  }

  #makeMissed(listener: SubscriberOptions, lastEventId: string): Frames {
    const now = this.#options.now();
    const since = this.#positions.read(lastEventId);
    const events = since === null ? null : replayMissed(this.#model, since, listener, now);
    if (events) {
      // Whether usage has changed since then is not known: it is told in any case.
      const usage = usageUpdated(this.#options.usageOf(listener.teamId), now);
      const frames = this.#frame([...events, usage], since ?? 0, this.#seen);
      if (frames.bytes.length <= mostMissedBytes) return frames;
    }
    return this.#frame([reset(now)], this.#seen, this.#seen);
  }

  /** Events of what came after one batch and up to another one. */
  #frame(events: readonly StreamEvent[], after: number, until: number): Frames {
    const framed = events.map((event) => ({ text: JSON.stringify(event), after }));
    return eventFrames(framed, until, this.#positions);
  }

  /** From now on whatever happens is looked at. */
  #follow(): void {
    const { store, timing } = this.#options;
    this.#seen = this.#model.batchNumber;
    this.#changesSeen = this.#model.groups.changes.count;
    this.#accessSeen = accessVersion(this.#model);
    this.#endings = [store.onCommit(() => this.#wakeLater()), timing.every(beatMs, () => this.#beat())];
  }

  #rest(): void {
    for (const end of this.#endings.splice(0)) end();
    this.#endTicks?.();
    this.#endTicks = null;
    this.#missed.frames.clear();
  }

  /** Those who wait for the batch are answered first. */
  #wakeLater(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      if (this.#readers.size > 0) this.#wake();
    });
  }

  #wake(): void {
    this.#look();
    const access = accessVersion(this.#model);
    if (access !== this.#accessSeen) this.#endAccess();
    this.#accessSeen = access;
    const now = this.#options.timing.now();
    // The first thing after a pause is told at once; what follows on it a little later, and together.
    for (const channel of this.#channels.values())
      if (channel.isWaiting && channel.hasRested(writeMs, now)) channel.flush(this.#flushing(channel));
    this.#tickOn();
  }

  /** Looks at what has changed since it looked last, and puts it down for those who want to know of it. */
  #look(): void {
    const { batchNumber, eventLog, groups } = this.#model;
    const after = this.#seen;
    if (batchNumber === after) return;
    const now = this.#options.now();
    const told = new Set<number>();
    for (const happened of eventLog.since(after)) {
      const channel = this.#channels.get(teamOf(this.#model, happened) ?? 0);
      const event = channel?.wants(happened.projectId) ? eventOf(this.#model, happened, now) : null;
      if (!channel || !event) continue;
      channel.put(event, after, batchNumber);
      if (!('group' in event)) continue;
      channel.noteTold(happened.groupId, this.#options.timing.now());
      told.add(happened.groupId);
    }
    for (const slot of this.#changedSlots()) this.#noteChange(slot, after, told);
    this.#changesSeen = groups.changes.count;
    this.#seen = batchNumber;
  }

  /** Slots that may have changed. One that changes often comes often. */
  *#changedSlots(): Generator<number> {
    const { changes, columns } = this.#model.groups;
    if (changes.reachesBackTo(this.#changesSeen))
      for (let index = this.#changesSeen; index < changes.count; index++) yield changes.at(index);
    else for (let slot = 0; slot < columns.length; slot++) yield slot;
  }

  #noteChange(slot: number, after: number, told: ReadonlySet<number>): void {
    const { columns } = this.#model.groups;
    const id = columns.ids[slot] ?? 0;
    if ((columns.lastBatches[slot] ?? 0) <= after || id === 0 || told.has(id)) return;
    const projectId = columns.projects[slot] ?? 0;
    const channel = this.#channels.get(this.#model.tables.projects.get(projectId)?.team_id ?? 0);
    if (channel?.wants(projectId)) channel.noteChange(id, after);
  }

  /** Goes on telling until there is nothing more to tell. */
  #tickOn(): void {
    this.#endTicks ??= this.#options.timing.every(writeMs, () => this.#tick());
  }

  #tick(): void {
    const now = this.#options.timing.now();
    let isWaiting = false;
    for (const channel of this.#channels.values()) {
      if (!channel.isWaiting) continue;
      isWaiting = true;
      // One that has written a moment ago has its turn with the next tick.
      if (channel.hasRested(writeMs / 2, now)) channel.flush(this.#flushing(channel));
    }
    if (isWaiting) return;
    this.#endTicks?.();
    this.#endTicks = null;
  }

  /** Whatever goes by the clock: access that ends, a month that turns, signs of life. */
  #beat(): void {
    this.#look();
    this.#endAccess();
    for (const channel of this.#channels.values()) channel.checkUsage(this.#flushing(channel));
    this.#tickOn();
    const now = this.#options.timing.now();
    const signs = new Map<number, Buffer>();
    for (const reader of this.#readers) {
      if (reader.signDueAt - now >= beatMs) continue;
      reader.signDueAt += signMs;
      const position = this.#positionOf(reader);
      let bytes = signs.get(position);
      if (!bytes) signs.set(position, (bytes = heartbeat(this.#positions.write(position))));
      this.#send(reader, { bytes, events: 0 });
    }
  }

  /** Ends the streams of those who are signed out, or will be before it is looked again. */
  #endAccess(): void {
    const now = this.#options.now();
    for (const reader of this.#readers) {
      if (reader.listener.endsAt() > now + beatMs) continue;
      const position = this.#positionOf(reader);
      this.#send(reader, this.#frame([reset(now, 'signed_out')], position, position));
      this.#end(reader);
    }
  }

  #flushing({ teamId }: TeamChannel): Flushing {
    const { usageOf, now: time, timing } = this.#options;
    const now = time();
    return {
      now: timing.now(),
      seen: this.#seen,
      groupUpdated: (groupId) => {
        const { groups } = this.#model;
        const slot = groups.slotOf(groupId);
        if (slot < 0) return null;
        return { event: groupUpdated(this.#model, slot, now), until: groups.columns.lastBatches[slot] ?? 0 };
      },
      usage: () => {
        const usage = usageOf(teamId);
        return { event: usageUpdated(usage, now), text: JSON.stringify(usage) };
      },
      reset: () => reset(now),
      send: (reader, frames) => this.#send(reader, frames),
      end: (reader) => this.#end(reader),
    };
  }

  #usageText(teamId: number): string {
    return JSON.stringify(this.#options.usageOf(teamId));
  }

  /** The batch up to which it was told all. */
  #positionOf(reader: Subscriber): number {
    return Math.max(reader.from, this.#channelOf(reader)?.position(this.#seen) ?? 0);
  }

  #channelOf({ listener }: Subscriber): TeamChannel | undefined {
    return this.#channels.get(listener.teamId);
  }

  #send(reader: Subscriber, { bytes, events }: Frames): void {
    if (reader.tell(bytes)) {
      this.counts.events += events;
    } else {
      this.counts.behind++;
      this.#remove(reader);
    }
  }

  #end(reader: Subscriber): void {
    this.#remove(reader);
    reader.end();
  }

  #remove(reader: Subscriber): void {
    if (!this.#readers.delete(reader)) return;
    const channel = this.#channelOf(reader);
    channel?.remove(reader);
    if (channel?.hasReaders === false) this.#channels.delete(channel.teamId);
    if (this.#readers.size === 0) this.#rest();
  }
}

/** Another number whenever somebody may have been signed out. */
function accessVersion({ tables: { users, sessions, personal_tokens } }: Model): number {
  return users.version + sessions.version + personal_tokens.version;
}

function tooMany(detail: string): ProblemError {
  return new ProblemError('too_many_requests', detail, { retryAfterSeconds });
}
