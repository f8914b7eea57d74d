import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { adminToken } from '../test-utils/server-process.ts';

/** The events that were read from a live stream. */
interface StreamRead {
  /** Messages of the groups that were created, and `reset` for each event of this type. */
  created: string[];
  lastId: string | null;
}

/** Reads the live stream of a server while `work` runs. */
export async function readStream(
  url: string,
  lastEventId: string | null,
  work: (created: () => string[]) => Promise<void>,
): Promise<StreamRead> {
  const stop = new AbortController();
  const read: StreamRead = { created: [], lastId: lastEventId };
  const { status, ended } = await openStream(url, read, stop.signal);
  expect(status).toBe(200);
  await work(() => read.created);
  stop.abort();
  await ended;
  return read;
}

/** A live stream that is resumed whenever it ends. */
interface FollowedStream {
  /** Messages of the groups that were created so far. */
  created: readonly string[];
  /** Resolves once it is open for the first time. Later events are not missed. */
  opened: Promise<void>;
  /** Returns true once an id was read. Before that, a new stream does not continue the last one. */
  hasEvents(): boolean;
  stop(): Promise<void>;
}

/** Reads the live stream of any server, and resumes it at another one whenever it ends, as a browser does. */
export function followStream(urls: () => string[]): FollowedStream {
  const over = new AbortController();
  const read: StreamRead = { created: [], lastId: null };
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const following = (async () => {
    for (let attempt = 0; !over.signal.aborted; attempt++) {
      const all = urls();
      await openStream(all[attempt % all.length] as string, read, over.signal).then(
        ({ status, ended }) => {
          if (status === 200) open();
          return ended;
        },
        () => undefined,
      );
      await sleep(50);
    }
  })();
  return {
    created: read.created,
    opened,
    hasEvents: () => read.lastId !== null,
    async stop() {
      over.abort();
      await following;
    },
  };
}

async function openStream(
  url: string,
  read: StreamRead,
  signal: AbortSignal,
): Promise<{ status: number; ended: Promise<void> }> {
  const response = await fetch(`${url}/api/v1/stream`, {
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(read.lastId !== null && { 'last-event-id': read.lastId }),
    },
    signal,
  });
  if (!response.ok) return { status: response.status, ended: response.text().then(() => undefined) };
  const ended = (async () => {
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) readFrame(frame, read);
    }
  })().catch(() => undefined);
  return { status: response.status, ended };
}

function readFrame(frame: string, read: StreamRead): void {
  const id = /^id: ?(.*)$/m.exec(frame)?.[1];
  if (id !== undefined) read.lastId = id;
  const data = /^data: ?(.*)$/m.exec(frame)?.[1];
  if (data === undefined) return;
  const event = JSON.parse(data) as { type: string; group?: { message: string } };
  if (event.type === 'group.created' && event.group) read.created.push(event.group.message);
  // Events before it are missing: the client has to load its lists again.
  if (event.type === 'reset') read.created.push('reset');
}
