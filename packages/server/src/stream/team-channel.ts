import type { StreamEvent } from '@service/protocol';
import { eventFrames, type Framed, type Frames } from './frames.ts';
import type { EventCursors } from './event-cursor.ts';
import type { Subscriber } from './subscriber.ts';

/** A group is told of no more often. */
const groupMs = 250;
/** Usage is told no more often. */
const usageMs = 1_000;
/** What is told at once. What is left has its turn with the next write. */
const writeBytes = 96 * 1024;
/** More than this does not wait to be told: whoever listens reads the lists again. */
const queuedBytes = 4 * 1024 * 1024;
/** In the place of a project, where all of the team is meant. */
const wholeTeam = 0;

/** An event that waits to be told, as it will be. */
interface Told extends Framed {
  bytes: number;
  projectId: number;
  /** The batch up to which it tells: whoever knows that already is not told. Infinity: everybody is. */
  until: number;
  /** It is the last one of its project. */
  isEnd: boolean;
}

/** What a channel asks of the hub while it writes. */
export interface Flushing {
  /** Milliseconds of the timing. */
  now: number;
  /** The newest batch that the channel was told of. */
  seen: number;
  /** A group as it stands now, and the batch that changed it last. Null if it is gone. */
  groupUpdated(groupId: number): { event: StreamEvent; until: number } | null;
  usage(): { event: StreamEvent; text: string };
  reset(): StreamEvent;
  /** Sends, and lets go of a reader that is too far behind. */
  send(reader: Subscriber, frames: Frames): void;
  end(reader: Subscriber): void;
}

/** The readers of one team, and what they are still to be told. */
export class TeamChannel {
  readonly teamId: number;
  readonly #positions: EventCursors;
  /** By the project that they listen to, or `wholeTeam`. */
  readonly #readers = new Map<number, Set<Subscriber>>();
  #queue: Told[] = [];
  /** Groups that have changed, with the batch after which they have: the one that waits longest comes first. */
  readonly #changed = new Map<number, number>();
  /** When groups were told of last; the one that was told last is the last one. */
  readonly #toldAt = new Map<number, number>();
  /** What the team has used, as it was told last; when; and as it is told next. */
  #usage: string;
  #usageAt = -Infinity;
  #usageDue: Told | null = null;
  #triedAt = -Infinity;

  /** `usage`: what the team has used, as far as whoever comes knows already. */
  constructor(teamId: number, positions: EventCursors, usage: string) {
    this.teamId = teamId;
    this.#positions = positions;
    this.#usage = usage;
  }

  add(reader: Subscriber): void {
    const project = reader.listener.projectId ?? wholeTeam;
    const readers = this.#readers.get(project);
    if (readers) readers.add(reader);
    else this.#readers.set(project, new Set([reader]));
  }

  remove(reader: Subscriber): void {
    const project = reader.listener.projectId ?? wholeTeam;
    const readers = this.#readers.get(project);
    readers?.delete(reader);
    if (readers?.size === 0) this.#readers.delete(project);
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  get isWaiting(): boolean {
    return this.#queue.length > 0 || this.#changed.size > 0 || this.#usageDue !== null;
  }

  /** Whether it has not tried to write for so long. */
  hasRested(ms: number, now: number): boolean {
    return now - this.#triedAt >= ms;
  }

  /** Whether anybody wants to be told of this project. */
  wants(projectId: number): boolean {
    return this.#readers.has(wholeTeam) || this.#readers.has(projectId);
  }

  /** The batch up to which all was told, `seen` being the newest one that was looked at. */
  position(seen: number): number {
    return Math.min(seen, this.#queue[0]?.after ?? seen, this.#oldestChange() ?? seen);
  }

  /** Puts an event in the row. It tells of what came after one batch up to another one. */
  put(event: StreamEvent, after: number, until: number): void {
    this.#queue.push(toTold(event, after, until));
  }

  /** Notes that a group is to be told of as it stands then. */
  noteChange(groupId: number, after: number): void {
    if (!this.#changed.has(groupId)) this.#changed.set(groupId, after);
  }

  /** An event in the row tells of the group as it stands now. */
  noteTold(groupId: number, now: number): void {
    this.#changed.delete(groupId);
    this.#toldAt.delete(groupId);
    this.#toldAt.set(groupId, now);
  }

  /** Has the next write tell what the team has used, if that is another amount than the one that was told last. */
  checkUsage(flushing: Flushing): void {
    const { now, seen } = flushing;
    if (now - this.#usageAt < usageMs) return;
    const { event, text } = flushing.usage();
    if (text === this.#usage) return;
    this.#usage = text;
    this.#usageAt = now;
    this.#usageDue = toTold(event, seen, Infinity);
  }

  /** Tells what is due, in one write a reader. */
  flush(flushing: Flushing): void {
    const { now, seen } = flushing;
    this.#triedAt = now;
    this.checkUsage(flushing);
    if (bytesOf(this.#queue) > queuedBytes) this.#giveUp(flushing);
    const due = this.#takeDue(flushing);
    if (due.length === 0) return;
    const position = this.position(seen);
    for (const [project, readers] of this.#readers) {
      const events = project === wholeTeam ? due : due.filter(({ projectId }) => isFor(project, projectId));
      if (events.length > 0) this.#tell(readers, events, position, flushing);
    }
    for (const { isEnd, projectId } of due)
      if (isEnd) for (const reader of this.#readers.get(projectId) ?? []) flushing.end(reader);
  }

  #tell(readers: ReadonlySet<Subscriber>, events: readonly Told[], position: number, flushing: Flushing): void {
    const first = Math.min(...events.map(({ until }) => until));
    const framed = new Map<number, Frames | null>();
    for (const reader of readers) {
      // Whoever came while this waited knows some of it. All others share the same bytes.
      const from = reader.from >= first ? reader.from : 0;
      let frames = framed.get(from);
      if (frames === undefined) framed.set(from, (frames = this.#frame(events, from, position)));
      if (frames) flushing.send(reader, frames);
    }
  }

  /** For a reader that knows all up to a batch. Null if that is all there is. */
  #frame(events: readonly Told[], from: number, position: number): Frames | null {
    const news = events.filter(({ until }) => until > from);
    if (news.length === 0) return null;
    const framed = news.map(({ text, after }) => ({ text, after: Math.max(after, from) }));
    return eventFrames(framed, Math.max(position, from), this.#positions);
  }

  /** What is told now: of the row what goes into one write, then groups that may be told of again. */
  #takeDue(flushing: Flushing): Told[] {
    const queued = this.#takeQueued();
    // What has opened a group comes before what has become of it.
    if (this.#queue.length > 0) return queued;
    const changed = this.#takeChanged(flushing, writeBytes - bytesOf(queued));
    const usage = this.#usageDue ? [this.#usageDue] : [];
    this.#usageDue = null;
    return [...queued, ...changed, ...usage];
  }

  #takeQueued(): Told[] {
    let bytes = 0;
    const end = this.#queue.findIndex((told) => {
      const isFull = bytes >= writeBytes;
      bytes += told.bytes;
      return isFull;
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  #takeChanged(flushing: Flushing, mostBytes: number): Told[] {
    const taken: Told[] = [];
    let room = mostBytes;
    this.#forgetTold(flushing.now);
    for (const [groupId, after] of this.#changed) {
      if (room <= 0) break;
      if (this.#toldAt.has(groupId)) continue;
      this.noteTold(groupId, flushing.now);
      const updated = flushing.groupUpdated(groupId);
      if (!updated) continue;
      const told = toTold(updated.event, after, updated.until);
      taken.push(told);
      room -= told.bytes;
    }
    return taken;
  }

  /** Those may be told of again. */
  #forgetTold(now: number): void {
    for (const [groupId, toldAt] of this.#toldAt) {
      if (now - toldAt < groupMs) return;
      this.#toldAt.delete(groupId);
    }
  }

  /** Whoever listens to a project that is gone is told so nevertheless: there is no list of it to read again. */
  #giveUp(flushing: Flushing): void {
    const ends = this.#queue.filter(({ isEnd }) => isEnd);
    this.#queue = [];
    this.#changed.clear();
    this.put(flushing.reset(), flushing.seen, Infinity);
    this.#queue.push(...ends.map((told) => ({ ...told, after: flushing.seen })));
  }

  #oldestChange(): number | undefined {
    for (const after of this.#changed.values()) return after;
    return undefined;
  }
}

function toTold(event: StreamEvent, after: number, until: number): Told {
  const text = JSON.stringify(event);
  const projectId = event.project_id ?? wholeTeam;
  return { text, bytes: Buffer.byteLength(text), projectId, after, until, isEnd: event.type === 'project.deleted' };
}

function bytesOf(events: readonly Told[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

function isFor(project: number, projectId: number): boolean {
  return projectId === project || projectId === wholeTeam;
}
