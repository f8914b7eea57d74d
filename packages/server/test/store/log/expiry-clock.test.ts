import { expect, test } from 'vitest';
import { ExpiryClock, type ExpiryClockState } from '../../../src/store/log/expiry-clock.ts';

const dayMs = 24 * 3_600_000;
const start = Date.UTC(2026, 0, 1);

/** A clock of the machine that can be set, and the expiry clock of one process after the other. */
class Machine {
  at = start;
  #monotonicMs = 0;
  readonly #maxLeadMs: number;
  saved: ExpiryClockState = { knownAt: start, doubtedMs: 0, hasLeapt: false };
  clock: ExpiryClock;

  constructor(maxLeadMs = 30 * dayMs) {
    this.#maxLeadMs = maxLeadMs;
    this.clock = this.#boot();
  }

  pass(ms: number): void {
    this.at += ms;
    this.#monotonicMs += ms;
    this.#save();
  }

  restart(): void {
    this.#save();
    this.clock = this.#boot();
  }

  #boot(): ExpiryClock {
    return new ExpiryClock(this.saved, {
      now: () => this.at,
      monotonicMs: () => this.#monotonicMs,
      maxLeadMs: this.#maxLeadMs,
    });
  }

  #save(): void {
    const state = this.clock.stateToSave();
    if (!state) return;
    this.saved = state;
    this.clock.setSaved(state);
  }
}

test('the clock is trusted if time passes while the server runs', () => {
  const machine = new Machine();
  for (let day = 0; day < 400; day++) {
    machine.pass(dayMs);
    expect(machine.clock.isDoubted).toBe(false);
  }
});

test('the clock is trusted at once after the server was off for some weeks', () => {
  const machine = new Machine();
  machine.at += 29 * dayMs;
  machine.restart();
  expect(machine.clock.isDoubted).toBe(false);
});

test('the clock is trusted after restarts of an idle server with a short retention', () => {
  const leadMs = dayMs / 3;
  const machine = new Machine(leadMs);
  for (let night = 0; night < 30; night++) {
    for (let hour = 0; hour < 18; hour++) machine.pass(dayMs / 24);
    machine.at += leadMs / 2;
    machine.restart();
    expect(machine.clock.isDoubted).toBe(false);
  }
});

test('a leap of the clock is doubted until the server has run for three days, also over restarts', () => {
  const machine = new Machine();
  machine.at += 3_650 * dayMs;
  for (let halfDay = 0; halfDay < 5; halfDay++) {
    expect(machine.clock.isDoubted).toBe(true);
    machine.pass(dayMs / 2);
    machine.restart();
  }
  expect(machine.clock.isDoubted).toBe(true);
  machine.pass(dayMs);
  expect(machine.clock.isDoubted).toBe(false);
  machine.restart();
  expect(machine.clock.isDoubted).toBe(false);
});

test('a clock that leaps back is trusted at once, and a later leap ahead is doubted again', () => {
  const machine = new Machine();
  machine.at += 100 * dayMs;
  machine.pass(dayMs);
  machine.at -= 100 * dayMs;
  expect(machine.clock.isDoubted).toBe(false);
  machine.at += 100 * dayMs;
  machine.pass(2.5 * dayMs);
  expect(machine.clock.isDoubted).toBe(true);
});

test.each(['while the server runs', 'between two starts'])(
  'a leap that was trusted, and taken back %s, is doubted when it is repeated',
  (when) => {
    const machine = new Machine();
    machine.at += 100 * dayMs;
    machine.pass(dayMs);
    machine.pass(3 * dayMs);
    expect(machine.clock.isDoubted).toBe(false);
    machine.at -= 100 * dayMs;
    if (when === 'between two starts') machine.restart();
    machine.pass(dayMs);
    expect(machine.clock.isDoubted).toBe(false);
    machine.at += 100 * dayMs;
    if (when === 'between two starts') machine.restart();
    machine.pass(dayMs);
    expect(machine.clock.isDoubted).toBe(true);
  },
);

test('a clock that was behind and is set right is trusted', () => {
  const machine = new Machine();
  machine.at -= 3_650 * dayMs;
  machine.restart();
  machine.pass(dayMs);
  expect(machine.clock.isDoubted).toBe(false);
  machine.at += 3_650 * dayMs;
  machine.restart();
  expect(machine.clock.isDoubted).toBe(false);
});
