import { defaultNotifications } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { toLetters } from '../../../../test/test-utils/to-letters.ts';
import { startCulpritRenewal } from '../../src/groups/culprit-renewal.ts';
import type { ProjectRecord } from '../../src/store/records/project-records.ts';
import type { Services } from '../../src/services.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';
import { uploadMap } from '../test-utils/upload-map.ts';

const file = 'app-3f2a9c1b.js';
const sourceMap = {
  version: 3,
  file,
  sources: ['src/cart.ts'],
  sourcesContent: ['function add() { fail(); }'],
  names: [],
  mappings: 'AAAA',
};
/** More groups than a project may renew in one turn. */
const groups = 230;

const culprit = 'add (src/cart.ts)';

test('culprit renewal of a project with many groups does not block other projects, and completes', async () => {
  const { services, call, close } = await openService();
  const large = await createProject(call, 'Large');
  const small = await createProject(call, 'Small');
  for (let n = 0; n < groups; n++) await report(call, large.api_key, `No ${toLetters(n)}`);
  const last = await report(call, small.api_key, 'None');
  for (const { id } of [large, small]) await uploadMapOf(services, id);

  const { model } = services.store;
  const culpritOf = (id: number) => model.groups.get(id)?.culprit;
  const renewedOfLarge = () =>
    Array.from({ length: groups }, (_, n) => n + 1).filter((id) => culpritOf(id) === culprit);
  let renewedBefore: number | null = null;
  services.store.onCommit(() => {
    if (culpritOf(last) === culprit) renewedBefore ??= renewedOfLarge().length;
  });
  await makeDue(services);
  const renewal = startCulpritRenewal(services);
  await expect.poll(() => model.tables.stale_culprits.size).toBe(0);
  await renewal.stop();
  expect(renewedOfLarge()).toHaveLength(groups);
  expect(renewedBefore).toBeGreaterThan(0);
  expect(renewedBefore).toBeLessThan(groups);
  await close();
});

describe('a culprit renewal that processes did not finish', () => {
  /** Starts the renewal of one group after `begun` processes have crashed during it. */
  async function startAfterCrashes(begun: number) {
    const time = { now: Date.now() };
    const { services, call, close } = await openService({}, { now: () => time.now });
    const { id, api_key } = await createProject(call, 'Shop');
    const group = await report(call, api_key, 'None');
    await uploadMapOf(services, id);
    await makeDue(services, begun);
    const { model } = services.store;
    const renewal = startCulpritRenewal(services);
    return {
      rows: () => [...model.tables.stale_culprits.values()],
      culprit: () => model.groups.get(group)?.culprit,
      /** Advances the clock. The write makes the job runner look at it. */
      async pass(ms: number) {
        time.now += ms;
        await services.store.commit((transaction) => transaction.put('notifications', { ...defaultNotifications, id }));
      },
      stop: () => renewal.stop(),
      close,
    };
  }

  test('culprit renewal restarts immediately after one crash', async () => {
    const { rows, culprit: shown, stop, close } = await startAfterCrashes(1);
    await expect.poll(() => rows().length).toBe(0);
    expect(shown()).toBe(culprit);
    await stop();
    await close();
  });

  test.each([
    [2, 30_000],
    [3, 120_000],
  ])('after %i crashes, culprit renewal restarts after %i ms', async (begun, delayMs) => {
    const { rows, culprit: shown, pass, stop, close } = await startAfterCrashes(begun);
    await pass(delayMs - 1);
    expect(rows()).toMatchObject([{ begun }]);
    await pass(1);
    await expect.poll(() => rows().length).toBe(0);
    expect(shown()).toBe(culprit);
    await stop();
    await close();
  });

  test('culprit renewal stops after six crashes', async () => {
    const { rows, culprit: shown, pass, stop, close } = await startAfterCrashes(6);
    await pass(24 * 3_600_000);
    await expect.poll(() => rows().length).toBe(0);
    expect(shown()).not.toBe(culprit);
    await stop();
    await close();
  });
});

test('culprit renewal counts its start before it reads groups, and a graceful stop reverts the count', async () => {
  const { services, call, close } = await openService();
  const { id, api_key } = await createProject(call, 'Shop');
  for (let n = 0; n < groups; n++) await report(call, api_key, `No ${toLetters(n)}`);
  await uploadMapOf(services, id);
  await makeDue(services);
  const { tables, groups: known } = services.store.model;
  const row = () => tables.stale_culprits.get(id);
  const seen: { begun: number | undefined; isRenewed: boolean }[] = [];
  services.store.onCommit(() => seen.push({ begun: row()?.begun, isRenewed: known.get(groups)?.culprit === culprit }));
  const renewal = startCulpritRenewal(services);
  await expect.poll(() => known.get(groups)?.culprit).toBe(culprit);
  await renewal.stop();
  expect(seen[0]).toEqual({ begun: 1, isRenewed: false });
  expect(row()?.begun).toBe(0);
  await close();
});

type Call = OpenService['call'];

async function createProject(call: Call, name: string): Promise<ProjectRecord> {
  return (await call<ProjectRecord>('POST', 'projects', { body: { name } })).body;
}

/** Returns the id of the group. */
async function report(call: Call, project_api_key: string, message: string): Promise<number> {
  const stacktrace = `Error: ${message}\n    at a (https://shop.example/${file}:1:1)`;
  const { body } = await call('POST', 'errors', { body: { project_api_key, message, stacktrace }, token: null });
  return body.error_group_id as number;
}

function uploadMapOf(services: Services, projectId: number): Promise<void> {
  const project = services.store.model.tables.projects.get(projectId) as ProjectRecord;
  return uploadMap(services, project, sourceMap, { file });
}

/** Makes all renewals due, as if `begun` processes had started them. */
async function makeDue({ store }: Services, begun?: number): Promise<void> {
  await store.commit((transaction) => {
    for (const row of transaction.rows('stale_culprits'))
      transaction.put('stale_culprits', { ...row, due_at: 0, ...(begun !== undefined && { begun }) });
  });
}

test('culprit renewal that is stopped finishes only the current group', async () => {
  const { services, call, close } = await openService();
  const { id, api_key } = await createProject(call, 'Shop');
  for (let n = 0; n < groups; n++) await report(call, api_key, `No ${toLetters(n)}`);
  await uploadMapOf(services, id);
  await makeDue(services);
  const { readBody } = services.store;
  let reads = 0;
  let stopped: Promise<void> | undefined;
  services.store.readBody = (...pointer) => {
    reads++;
    stopped ??= renewal.stop();
    return readBody(...pointer);
  };
  const renewal = startCulpritRenewal(services);
  await expect.poll(() => reads).toBeGreaterThan(0);
  await stopped;
  // The report of the group, and that of one with which it may be merged.
  expect(reads).toBeLessThanOrEqual(2);
  await close();
});
