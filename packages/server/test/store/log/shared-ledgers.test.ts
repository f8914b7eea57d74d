import { expect, test } from 'vitest';
import { Ledger } from '../../../src/store/log/ledger.ts';
import type { Timing } from '../../../src/time/timing.ts';
import { UnknownOutcomeError } from '../../../src/storage/postgres/primary-connection.ts';
import { FaultyEngine, type Random } from '../../storage/faulty-engine.ts';
import { isFull } from '../../../../../test/test-utils/depth.ts';

const seeds = Number(process.env.SEEDS ?? (isFull ? 10_000 : 150));
const firstSeed = Number(process.env.SEED ?? 1);

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Without time, callers wait for the outcome of an append, however long the machine takes. */
const timing: Timing = { now: () => 0, sleep: async () => undefined, every: () => () => undefined };

const quota = 12;

/**
 * Adds a team if its name is free and fewer than `quota` exist. Resolves with its id, or null. A rejected write was not
 * stored, so it is repeated.
 */
async function addTeam(ledger: Ledger, name: string): Promise<number | null> {
  for (;;) {
    try {
      return await ledger.commit((transaction) => {
        const teams = [...transaction.rows('teams')];
        if (teams.length >= quota || teams.some((team) => team.name === name)) return null;
        const id = transaction.nextId('teams');
        transaction.put('teams', { id, name, created_at: '' });
        return id;
      });
    } catch (error) {
      if ((error as { code?: string }).code !== 'storage_unavailable') throw error;
    }
  }
}

/** Opens a ledger, again after each failure, as a server does. */
async function openLedger(engine: FaultyEngine): Promise<Ledger> {
  for (;;) {
    try {
      return await Ledger.open(engine.openLog(), 100, () => 1_000, timing);
    } catch (error) {
      if (!(error instanceof UnknownOutcomeError)) throw error;
    }
  }
}

async function run(seed: number): Promise<void> {
  const random = randomOf(seed);
  const engine = new FaultyEngine(random);
  const count = 2 + Math.floor(random() * 3);
  const ledgers: Ledger[] = [];
  for (let index = 0; index < count; index++) ledgers.push(await openLedger(engine));
  const added = await Promise.all(
    ledgers.flatMap((ledger) =>
      Array.from({ length: 6 }, async () => {
        const name = `team ${Math.floor(random() * 16)}`;
        return { name, id: await addTeam(ledger, name) };
      }),
    ),
  );
  await engine.calm();
  for (const ledger of ledgers) await ledger.followOthers();
  const accepted = added.filter(({ id }) => id !== null);
  const states = ledgers.map(({ model }) => [...model.tables.teams.values()].map(({ id, name }) => ({ id, name })));
  // Each acknowledged team exists once, under its id; all servers agree; the quota is exact.
  const expected = accepted.toSorted((one, other) => Number(one.id) - Number(other.id));
  for (const state of states) expect([seed, state.toSorted((a, b) => a.id - b.id)]).toEqual([seed, expected]);
  expect([seed, new Set(accepted.map(({ name }) => name)).size]).toEqual([seed, accepted.length]);
  expect([seed, accepted.length <= quota]).toEqual([seed, true]);
  // Rebuilding the state from the log gives the same.
  const fresh = await openLedger(engine);
  expect([...fresh.model.tables.teams.values()].map(({ id, name }) => ({ id, name }))).toEqual(states[0]);
  await loseWrites(engine, ledgers, random, seed);
  for (const ledger of [...ledgers, fresh]) await ledger.close();
}

/**
 * Makes the engine lose its newest batches. A server that knows one of them may not append, and a start after that
 * reads a log without a gap.
 */
async function loseWrites(
  engine: FaultyEngine,
  ledgers: readonly Ledger[],
  random: Random,
  seed: number,
): Promise<void> {
  engine.tables.forget(1 + Math.floor(random() * 3));
  const left = engine.tables.newest;
  for (const ledger of ledgers) {
    const write = ledger.commit((transaction) => transaction.put('settings', { id: 'x', value: '1' }));
    expect(await errorOf(write)).toMatchObject({ code: 'storage_unavailable' });
    expect(String(await errorOf(ledger.followOthers()))).toContain('lost its last writes');
  }
  // Each server reports the loss twice: for its write, and for what it reads.
  expect([seed, engine.noticed.length]).toEqual([seed, ledgers.length * 2]);
  expect(engine.tables.newest).toBe(left);
  const reopened = await openLedger(engine);
  expect(reopened.model.batchNumber).toBe(left);
  await reopened.close();
}

/**
 * Resolves with the error of the work, or null. `expect().rejects` would hold the ledgers until the test ends, which
 * would fill the memory.
 */
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

const seedsPerTest = 500;
const starts = Array.from({ length: Math.ceil(seeds / seedsPerTest) }, (_, index) => firstSeed + index * seedsPerTest);

test.each(starts)(
  'ledgers on one log agree, whatever the engine delays, drops, repeats or forgets: seeds from %i',
  async (start) => {
    const end = Math.min(start + seedsPerTest, firstSeed + seeds);
    for (let seed = start; seed < end; seed++) await run(seed);
    expect.hasAssertions();
  },
  600_000,
);
