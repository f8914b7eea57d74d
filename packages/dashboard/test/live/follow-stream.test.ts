import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followStream } from '../../src/live/follow-stream.ts';
import type { StreamUpdate } from '../../src/live/stream-update.ts';

/** The pauses between two attempts, in milliseconds. None of them is waited for. */
const pauses: number[] = [];
/** The paths of the attempts. */
const requested: string[] = [];

beforeEach(() => {
  pauses.length = requested.length = 0;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    pauses.push(ms);
    return AbortSignal.abort();
  });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', () => {});
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Reads the stream of a server until it was requested `attempts` times. Returns all updates. */
async function read(attempts: number, respond: (attempt: number) => Response): Promise<StreamUpdate[]> {
  const over = new AbortController();
  const updates: StreamUpdate[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requested.push(path);
    if (requested.length === attempts) over.abort();
    return respond(requested.length);
  });
  await followStream('at-1', (update) => updates.push(update), over.signal);
  return updates;
}

const unreachable = (): Response => {
  throw new TypeError('Failed to fetch');
};

test('a page tries to reconnect every second for a minute, so it is live again soon after the server restarts', async () => {
  await read(100, unreachable);
  expect(pauses.slice(0, 3)).toEqual([200, 500, 1_000]);
  expect(Math.max(...pauses.slice(0, 60))).toBe(1_000);
  expect(pauses.slice(0, 60).reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(55_000);
  expect(new Set(pauses.slice(60))).toEqual(new Set([5_000]));
});

test('a page reconnects at its last position, and the pauses are short again after each connection', async () => {
  const updates = await read(6, (attempt) =>
    attempt === 4 ? new Response('id: at-7\ndata: {"type":"group.deleted"}\n\n') : unreachable(),
  );
  expect(requested).toEqual([
    ...Array<string>(4).fill('/api/v1/stream?last_event_id=at-1'),
    ...Array<string>(2).fill('/api/v1/stream?last_event_id=at-7'),
  ]);
  expect(pauses.slice(0, 5)).toEqual([200, 500, 1_000, 200, 500]);
  expect(updates.flatMap(({ state }) => state?.kind ?? [])).toContain('live');
  expect(updates.flatMap(({ event }) => event?.type ?? [])).toEqual(['group.deleted']);
});

test.each([429, 505])('a page that is rejected with status %i reloads its data every ten seconds', async (status) => {
  const updates = await read(3, () => new Response(null, { status }));
  expect(new Set(pauses)).toEqual(new Set([10_000]));
  expect(updates.filter(({ event }) => event?.type === 'reset')).toHaveLength(3);
});
