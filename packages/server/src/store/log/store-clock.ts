import type { Entry } from '../records/entry.ts';
import { minuteMs } from '../../time/units.ts';
import type { Tables } from '../records/tables.ts';
import type { Timing } from '../../time/timing.ts';

/** A deviation up to this one is the usual correction of a clock, and not a leap. */
const toleranceMs = minuteMs;
/** Leaps that are remembered. A clock that leaps more often is not corrected further back. */
const maxLeaps = 8;

/** The id of the setting that stores the leaps. */
const leapsSetting = 'clock_leaps';

/** The value of `lowered` after a start at which the clock was behind what is stored. */
const behindAtStart = -1;
/** The `until` of a correction without an upper bound. JSON has no infinity. */
const maxTime = Number.MAX_SAFE_INTEGER;

/** A moment at which the clock went ahead: the machine was off or suspended, or the clock became wrong. */
interface Leap {
  /** The time before it, and the time after it. */
  base: number;
  to: number;
  /** True if it happened between two starts. Then a part of it was real. */
  isStart: boolean;
  /** By how much the times after it were corrected. */
  lowered: number;
}

/** Returns the recorded leaps, oldest first. */
export function savedLeaps({ settings }: Tables): Leap[] {
  return JSON.parse(settings.get(leapsSetting)?.value ?? '[]') as Leap[];
}

interface ClockState {
  leaps: readonly Leap[];
  /** The time of the store, the clock of the machine, and `Timing.now()`, all at the same moment. */
  time: number;
  wall: number;
  mono: number;
}

type Corrected = Pick<ClockState, 'leaps' | 'time'> & { entries: Entry[] };

/** A correction that must be written before the clock of the machine is followed again. */
export interface ClockCorrection {
  entries: Entry[];
  state: ClockState;
}

/**
 * The time of everything that is stored. It follows the clock of the machine, but does not go back with it. While that
 * clock is behind what is stored, the time continues from there by the monotonic clock. Only a clock that comes back
 * from a leap ahead is followed at once, and the times stored since the leap are corrected. See decision 0048.
 */
export class StoreClock {
  readonly #now: () => number;
  readonly #timing: Timing;
  readonly #hasReports: () => boolean;
  #state: ClockState;
  /** True until the first correction or reading: what happened before the start is not measured. */
  #isStart = true;

  /** `newestAt` is the latest stored time, or 0. `hasReports` returns whether any report is stored. */
  constructor(saved: readonly Leap[], newestAt: number, now: () => number, timing: Timing, hasReports: () => boolean) {
    this.#hasReports = hasReports;
    this.#now = now;
    this.#timing = timing;
    const leaps = saved.filter(({ to, lowered }) => lowered !== behindAtStart || to <= newestAt);
    // Time had reached the last leap when it was recorded, also if nothing was stored since.
    const time = Math.max(newestAt, leaps.at(-1)?.to ?? 0) || now();
    this.#state = { leaps, time, wall: time, mono: timing.now() };
  }

  /** Returns the time for what is stored now. */
  read(): number {
    const { time, mono } = this.#state;
    const expected = time + (this.#timing.now() - mono);
    return Math.floor(this.correction() ? expected : this.#state.time);
  }

  /** Returns what has to be written, or null. Without a leap, the clock is followed from here on. */
  correction(): ClockCorrection | null {
    const wall = this.#now();
    const mono = this.#timing.now();
    const { leaps } = this.#state;
    const elapsed = mono - this.#state.mono;
    const expected = this.#state.time + elapsed;
    const state = { leaps, time: followed(wall, expected), wall, mono };
    const hasLeapt = Math.abs(wall - (this.#state.wall + elapsed)) > toleranceMs || this.#isStart;
    if (hasLeapt && Math.abs(wall - expected) > toleranceMs) {
      const corrected = wall < expected ? this.#backTo(wall, expected) : this.#aheadTo(wall, expected);
      if (corrected) return { entries: corrected.entries, state: { ...state, ...corrected } };
    }
    // While no report is stored, the time may run backwards.
    this.#settle(this.#hasReports() ? state : { ...state, time: wall });
    return null;
  }

  /** Must be called once the entries of the correction are durable. */
  settle({ state }: ClockCorrection): void {
    this.#settle(state);
  }

  #settle(state: ClockState): void {
    this.#state = state;
    this.#isStart = false;
  }

  #aheadTo(wall: number, expected: number): Corrected {
    const { leaps } = this.#state;
    const last = leaps.at(-1);
    const ahead = Math.floor(wall - expected);
    if (last && !this.#isStart && isReturn(last, ahead)) {
      const entry: Entry = { kind: 'clock', from: last.to, by: ahead, until: wall };
      const raised: Leap = { base: last.base, to: last.to + ahead, isStart: last.isStart, lowered: 0 };
      return withLeaps([entry], [...leaps.slice(0, -1), raised], wall);
    }
    const leap: Leap = { base: Math.floor(expected), to: wall, isStart: this.#isStart, lowered: 0 };
    return withLeaps([], limited([...leaps, leap]), wall);
  }

  /** Takes back the leaps that the clock has taken back. Returns null if the clock is behind for another reason. */
  #backTo(wall: number, expected: number): Corrected | null {
    const { leaps } = this.#state;
    const back = Math.floor(expected - wall);
    // Within a run, the clock comes back by exactly the amount of the leap.
    const exact = this.#isStart ? -1 : leaps.findLastIndex(({ base, to }) => Math.abs(to - base - back) <= toleranceMs);
    if (exact >= 0) return takeBack(leaps, exact, back, wall);
    let newest = expected;
    for (let index = leaps.length - 1; index >= 0; index--) {
      const { base, to, isStart } = leaps[index] as Leap;
      const more = Math.floor(newest - wall);
      // Between two starts, only a part of the leap may have been wrong. Take back as much as is needed.
      const isPartly = isStart || !this.#isStart;
      if (newest - (to - base) <= wall + toleranceMs)
        return lower(leaps, index, wall, isPartly ? Math.min(to - base, more) : to - base, more);
      newest -= to - base;
    }
    if (!this.#isStart) return null;
    // How long the server was off is known only once the clock is set right.
    const behind: Leap = {
      base: Math.floor(expected),
      to: Math.floor(expected) + 1,
      isStart: true,
      lowered: behindAtStart,
    };
    return withLeaps([], limited([...leaps, behind]), expected);
  }
}

/** Returns whether a step ahead undoes an error: the clock was set back by as much, or was behind at the start. */
function isReturn({ lowered }: Leap, ahead: number): boolean {
  return lowered === behindAtStart || (lowered > 0 && Math.abs(ahead - lowered) <= toleranceMs);
}

/** Takes back one leap. The later ones stay, relative to it. */
function takeBack(leaps: readonly Leap[], index: number, back: number, wall: number): Corrected {
  const { base, to, isStart } = leaps[index] as Leap;
  const later = leaps.slice(index + 1).map((leap) => ({ ...leap, base: leap.base - back, to: leap.to - back }));
  const lowered: Leap = { base, to: to - back, isStart, lowered: back };
  const entry: Entry = { kind: 'clock', from: to, by: -back, until: wall };
  return withLeaps([entry], [...leaps.slice(0, index), lowered, ...later], wall);
}

/**
 * Takes back all leaps after the one at `index`, and that one by `by`. `needed` would have been enough: if `by` is
 * larger, the clock is now ahead of what is stored, and the difference is recorded as a new leap.
 */
function lower(leaps: readonly Leap[], index: number, wall: number, by: number, needed: number): Corrected {
  const entries: Entry[] = [];
  for (const { base, to } of leaps.slice(index + 1).toReversed())
    entries.push({ kind: 'clock', from: to, by: base - to, until: maxTime });
  const { base, to, isStart } = leaps[index] as Leap;
  entries.push({ kind: 'clock', from: to, by: -by, until: wall });
  const lowered: Leap = { base, to: to - by, isStart, lowered: by };
  const rest: Leap[] =
    by - needed > toleranceMs ? [{ base: wall - (by - needed), to: wall, isStart: true, lowered: 0 }] : [];
  return withLeaps(entries, [...leaps.slice(0, index), lowered, ...rest], wall);
}

/** Drops a leap above the maximum: the first start with a clock that was behind, or else the oldest. */
function limited(leaps: readonly Leap[]): readonly Leap[] {
  if (leaps.length <= maxLeaps) return leaps;
  const behind = leaps.findIndex(({ lowered }) => lowered === behindAtStart);
  return leaps.toSpliced(Math.max(0, behind), 1);
}

/** Returns the clock of the machine, or the expected time while that clock is behind it. */
function followed(wall: number, expected: number): number {
  return wall >= expected - toleranceMs ? wall : expected;
}

function withLeaps(corrections: Entry[], leaps: readonly Leap[], time: number): Corrected {
  const value = JSON.stringify(leaps);
  const entry: Entry = { kind: 'put', table: 'settings', record: { id: leapsSetting, value } };
  return { entries: [...corrections, entry], leaps, time };
}
