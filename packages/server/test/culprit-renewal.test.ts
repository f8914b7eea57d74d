import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Caller } from '../src/accounts/caller.ts';
import { startCulpritRenewal } from '../src/groups/renew-culprits.ts';
import { receiveSourceMap } from '../src/sources/receive-source-map.ts';
import { uploadSourceMap } from '../src/sources/upload-source-map.ts';
import type { ProjectRecord } from '../src/store/records.ts';
import { openService } from './services.ts';

const file = 'app-3f2a9c1b.js';
const sourceMap = {
  version: 3,
  file,
  sources: ['src/cart.ts'],
  sourcesContent: ['function add() { fail(); }'],
  names: [],
  mappings: 'AAAA',
};
/** More than one project has in a turn. */
const groups = 230;

test('a project with many groups holds up no other one, and is done in the end', async () => {
  const { services, call, close } = await openService();
  const { model } = services.store;
  const [large, small] = [
    (await call<ProjectRecord>('POST', 'projects', { body: { name: 'Large' } })).body,
    (await call<ProjectRecord>('POST', 'projects', { body: { name: 'Small' } })).body,
  ];
  const report = (project_api_key: string, message: string) =>
    call('POST', 'errors', {
      body: { project_api_key, message, stacktrace: `Error: ${message}\n    at a (https://shop.example/${file}:1:1)` },
      token: null,
    });
  for (let n = 0; n < groups; n++) await report(large.api_key, `No ${nameOf(n)}`);
  const { error_group_id: last = 0 } = (await report(small.api_key, 'None')).body;
  for (const { id } of [large, small]) {
    const record = services.store.model.tables.projects.get(id) as ProjectRecord;
    const received = await receiveSourceMap(services, Readable.from([Buffer.from(JSON.stringify(sourceMap))]));
    await uploadSourceMap(services, callerOf(record), record, {
      fileName: `${file}.map`,
      received,
      release: null,
      url: null,
    });
  }

  const culpritOf = (id: number) => model.groups.get(id)?.culprit;
  const resolved = 'add (src/cart.ts)';
  const renewedOfLarge = () =>
    Array.from({ length: groups }, (_, n) => n + 1).filter((id) => culpritOf(id) === resolved);
  let renewedBefore: number | null = null;
  services.store.follow(() => {
    if (culpritOf(last) === resolved) renewedBefore ??= renewedOfLarge().length;
  });
  // Due already, both at once.
  await services.store.commit((draft) => {
    for (const row of draft.rows('stale_culprits')) draft.put('stale_culprits', { ...row, due_at: 0 });
  });
  const renewal = startCulpritRenewal(services);
  await expect.poll(() => model.tables.stale_culprits.size, { timeout: 20_000 }).toBe(0);
  await renewal.stop();
  expect(renewedOfLarge()).toHaveLength(groups);
  expect(renewedBefore).toBeGreaterThan(0);
  expect(renewedBefore).toBeLessThan(groups);
  await close();
});

function callerOf({ team_id }: ProjectRecord): Caller {
  return { userId: 1, teamId: team_id, role: 'owner', via: { kind: 'operator' } };
}

/** Words that no template takes for a value. */
function nameOf(n: number): string {
  return [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('x');
}
