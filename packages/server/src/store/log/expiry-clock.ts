import { dayMs, hourMs } from '../../time/units.ts';

/** A clock that is too far ahead is believed after this much running time. */
const doubtMs = 3 * dayMs;
/** The saved known time lags behind by at most this, and by at most this part of `maxLeadMs`. */
const saveKnownMs = dayMs;
const saveKnownPart = 1 / 4;
const saveDoubtMs = hourMs;

export interface ExpiryClockOptions {
  now: () => number;
  monotonicMs: () => number;
  /** The clock may be ahead of the known time by this much, because the server may have been off. */
  maxLeadMs: number;
}

/** The saved state. With it, a restart does not reset the doubted time. In milliseconds. */
export interface ExpiryClockState {
  /** The known time: the latest moment that is known to have been real. */
  knownAt: number;
  /** Running time for which the clock has been doubted. */
  doubtedMs: number;
  /** True if the known time was reached by a leap that was believed in the end. */
  hasLeapt: boolean;
}

/**
 * Decides whether stored reports may expire by the clock of the machine. Expiry can't be undone. So a clock that is
 * suddenly far ahead is doubted until it has been ahead for three days of running time; the operator can correct it
 * until then.
 */
export class ExpiryClock {
  readonly #options: ExpiryClockOptions;
  #state: ExpiryClockState;
  #saved: ExpiryClockState;
  #updatedMs: number;

  constructor(saved: ExpiryClockState, options: ExpiryClockOptions) {
    this.#options = options;
    this.#state = saved;
    this.#saved = saved;
    this.#updatedMs = options.monotonicMs();
  }

  /** Returns whether the clock is too far ahead to be believed. */
  get isDoubted(): boolean {
    this.#update();
    return this.#state.doubtedMs > 0;
  }

  /** Returns the state if it should be saved now. */
  stateToSave(): ExpiryClockState | null {
    this.#update();
    const { knownAt, doubtedMs } = this.#state;
    const isDue =
      Math.abs(knownAt - this.#saved.knownAt) >= Math.min(saveKnownMs, saveKnownPart * this.#options.maxLeadMs) ||
      Math.abs(doubtedMs - this.#saved.doubtedMs) >= saveDoubtMs ||
      doubtedMs > 0 !== this.#saved.doubtedMs > 0;
    return isDue ? this.#state : null;
  }

  setSaved(state: ExpiryClockState): void {
    this.#saved = state;
  }

  #update(): void {
    const { maxLeadMs } = this.#options;
    const now = this.#options.now();
    const passedMs = this.#options.monotonicMs() - this.#updatedMs;
    this.#updatedMs += passedMs;
    const expectedAt = this.#state.knownAt + passedMs;
    const doubtedMs = now > expectedAt + maxLeadMs ? Math.max(1, this.#state.doubtedMs + passedMs) : 0;
    if (doubtedMs > 0 && doubtedMs < doubtMs) {
      this.#state = { knownAt: expectedAt, doubtedMs, hasLeapt: this.#state.hasLeapt };
      return;
    }
    const { knownAt } = this.#state;
    const hasLeapt = this.#state.hasLeapt || doubtedMs > 0;
    // A clock that was set back does not lower the known time, unless it takes back a leap that was believed. Then a
    // second leap is doubted again.
    const hasReturned = hasLeapt && now < knownAt - maxLeadMs;
    this.#state = {
      knownAt: hasReturned ? now : Math.max(now, knownAt),
      doubtedMs: 0,
      hasLeapt: hasLeapt && !hasReturned,
    };
  }
}
