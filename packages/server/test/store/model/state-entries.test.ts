import { expect, test } from 'vitest';
import { isThorough } from '../../../../../test/test-utils/depth.ts';
import { stateEntries } from '../../../src/store/model/state-entries.ts';
import { openService } from '../../test-utils/open-service.ts';
import type { Model } from '../../../src/store/model/model.ts';
import { asLogged, observed, RandomSession, replay, type Logged } from './random-session.ts';

/** Writes the whole state during further steps, like a compaction. Returns the index where the new log begins. */
function rewriteState(session: RandomSession, stepsBetween: number, rowsAtOnce?: number): number {
  const first = session.logged.length;
  const steps = (): void => {
    for (let left = session.random(stepsBetween + 1); left > 0; left--) session.step();
  };
  steps();
  for (const slice of stateEntries(session.model, rowsAtOnce)) {
    session.apply(Array.isArray(slice) ? slice.map(plain) : movedReports(session, slice.groupId, slice.pointers));
    steps();
  }
  return first;
}

function plain(entry: Logged['entry']): Logged {
  return { entry: asLogged(entry), position: 0, body: null };
}

function movedReports(
  session: RandomSession,
  group_id: number,
  pointers: readonly { id: number; at: number; length: number }[],
): Logged[] {
  return pointers.map(({ id, at, length }, index) => ({
    entry: { kind: 'moved', id, group_id, at, body_bytes: length },
    position: session.logged.length * 1000 + index,
    body: { offset: 7, length },
  }));
}

test.each(isThorough ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2])(
  'a log that begins with the state replays to the same model as the whole log (seed %i)',
  (seed) => {
    const session = new RandomSession(seed);
    for (let step = 0; step < 400; step++) session.step();
    for (let generation = 0; generation < 3; generation++) {
      const before = rewriteState(session, 4, 1);
      const live = observed(session);
      expect(observed({ ...session, model: replay(session.logged.slice(before)) })).toEqual(live);
      expect(observed({ ...session, model: replay(session.logged) })).toEqual(live);
      // The result does not depend on which groups are packed.
      expect(observed({ ...session, model: replay(session.logged, 1_000) })).toEqual(live);
      for (let step = 0; step < 300; step++) session.step();
      expect(observed({ ...session, model: replay(session.logged.slice(before)) })).toEqual(observed(session));
    }
  },
);

test('groups with thousands of values and users are written and read back unchanged', () => {
  const session = new RandomSession(9, { groups: 1, onlyReports: true });
  for (let step = 0; step < 20_000; step++) session.step();
  expect(Math.max(...session.model.groups.columns.users)).toBeGreaterThan(1_000);
  const before = rewriteState(session, 0);
  expect(observed({ ...session, model: replay(session.logged.slice(before)) })).toEqual(observed(session));
});

test('a group shows the values of merged groups in the same order after the state was written', async () => {
  const now = Date.UTC(2026, 10, 21);
  const { services, call, close } = await openService({}, { now: () => now });
  const { body } = await call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } });
  for (const word of ['apple', 'pear', 'plum']) {
    const report = { message: `No ${word}`, environment: word, release: word, tags: { word } };
    const sent = await call('POST', 'errors', { token: null, body: { project_api_key: body.api_key, ...report } });
    expect(sent.status).toBe(200);
  }
  for (const id of [3, 2]) await call('POST', 'errors/1/merge', { body: { group_ids: [id] } });

  const { model } = services.store;
  const written = [...stateEntries(model)].flatMap((slice) => (Array.isArray(slice) ? slice.map(plain) : []));
  const shown = ({ groups }: Model) => {
    const group = groups.get(1);
    return { ...group?.toDetails(now), ...group?.toRecord(now), tags: group?.topTags() };
  };
  expect(shown(replay(written))).toEqual(shown(model));
  await close();
});
