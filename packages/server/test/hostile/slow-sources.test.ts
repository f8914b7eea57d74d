import { afterEach, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { startWatched, type WatchedServer } from './watched-server.ts';

let server: WatchedServer | undefined;
afterEach(async () => {
  await server?.stop();
  await cleanUp();
});

/** A valid source that takes seconds to parse. `seed` makes it another one. */
const slowSource = (seed: number): string =>
  `// ${seed}\n${'export function f<T>(a: T, b: Cart<string>): T { return b.items.map((i) => i.price as T)[0]; }\n'.repeat(20_000)}`;
const quickSource = 'export function total() {\n  throw new Error("B");\n}\n';

interface Accepted {
  error_group_id: number;
  fingerprint: string;
  is_new_group: boolean;
}

async function createProject(name: string): Promise<{ id: number; api_key: string }> {
  return (await server!.call<{ id: number; api_key: string }>('POST', 'projects', { body: { name } })).body;
}

/** Uploads a map of one minified line at column 1, which points to line 2 of the source. */
async function upload(projectId: number, name: string, source: string): Promise<void> {
  const map = { version: 3, sources: [`src/${name}.tsx`], names: [], mappings: 'AACE', sourcesContent: [source] };
  const form = new FormData();
  form.set('file', new Blob([JSON.stringify(map)]), `${name}.js.map`);
  const { status } = await server!.call('POST', `projects/${projectId}/source-maps`, { body: form });
  expect(status).toBe(201);
}

async function report(key: string, name: string): Promise<{ status: number; body: Accepted }> {
  const stacktrace = `Error: ${name}\n    at a (https://shop.example/${name}.js:1:1)`;
  const body = { project_api_key: key, message: name, stacktrace, url: 'https://shop.example/' };
  return server!.call<Accepted>('POST', 'errors', { body });
}

/** Returns the responses that have arrived. */
async function finished<Value>(responses: readonly Promise<Value>[]): Promise<Value[]> {
  const pending = Symbol('pending');
  const values = await Promise.all(responses.map((response) => Promise.race([response, Promise.resolve(pending)])));
  return values.filter((value) => value !== pending) as Value[];
}

const culpritOf = async (groupId: number): Promise<string | null> =>
  (await server!.call<{ culprit: string | null }>('GET', `errors/${groupId}`)).body.culprit;

test('slow sources of a project delay neither its own reports for long nor those of another project', async () => {
  server = await startWatched(`file:${await temporaryFolder()}`);
  const greedy = await createProject('Greedy');
  const other = await createProject('Other');
  for (let seed = 0; seed < 8; seed++) await upload(greedy.id, `slow${seed}`, slowSource(seed));
  await upload(other.id, 'quick', quickSource);

  const flood = Array.from({ length: 8 }, (_, seed) => report(greedy.api_key, `slow${seed}`));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const honest = await report(other.api_key, 'quick');
  expect(honest.status).toBe(200);
  expect(await culpritOf(honest.body.error_group_id)).toBe('total (src/quick.tsx)');
  // The report of the other project has waited for at most one turn of a slow source, 0.2 s of CPU time, and not until
  // that source was parsed, which takes seconds. A report whose names are late is accepted without them.
  const known = await Promise.all((await finished(flood)).map(({ body }) => culpritOf(body.error_group_id)));
  expect(known.filter((culprit) => culprit?.startsWith('f (')).length).toBeLessThan(4);

  const first = await Promise.all(flood);
  expect(first.map(({ status }) => status)).toEqual(first.map(() => 200));

  // Once the names of a source are known, the culprit of its group has them, and the next report is in the same
  // group.
  const ids = first.map(({ body }) => body.error_group_id);
  const named = async (): Promise<number> =>
    (await Promise.all(ids.map(culpritOf))).findIndex((culprit) => culprit?.startsWith('f ('));
  await expect.poll(named, { timeout: 150_000, interval: 1_000 }).toBeGreaterThanOrEqual(0);
  const seed = await named();
  const before = first[seed]!.body;
  const again = await report(greedy.api_key, `slow${seed}`);
  expect(again.body).toMatchObject({ error_group_id: before.error_group_id, fingerprint: before.fingerprint });
  expect(again.body.is_new_group).toBe(false);
});
