import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../../test/test-utils/serve-on-loopback.ts';
import { ForwardedBodies } from '../../src/cluster/forwarded-bodies.ts';
import type { Forwarded } from '../../src/cluster/forwarder.ts';
import { notHolderHeader, peerSecretHeader } from '../../src/cluster/peer-headers.ts';
import { reportBatchPath, ReportForwarder, type ForwardedReport } from '../../src/cluster/report-forwarder.ts';
import { PartReader, packPart, type PeerPart } from '../../src/cluster/peer-framing.ts';
import type { Peer } from '../../src/storage/postgres/postgres-lease.ts';

const cleanups: (() => Promise<void>)[] = [];
let forwarder = new ReportForwarder();

afterEach(async () => {
  forwarder.close();
  for (const close of cleanups.splice(0)) await close();
});

async function listen(handle: RequestListener): Promise<string> {
  const { url, close } = await serveOnLoopback(handle);
  cleanups.push(close);
  return new URL(url).origin;
}

function peerAt(address: string): Peer {
  return { id: address, address, secret: 'peer secret', isReady: true, isAlive: true } as Peer;
}

/** Starts a server that forwards reports once it has received `together` of them. Returns its URL and the outcomes. */
async function forwardingTo(peer: Peer, together = 1): Promise<{ url: string; outcomes: Forwarded[] }> {
  forwarder = new ReportForwarder();
  const outcomes: Forwarded[] = [];
  const received = createBarrier(together);
  const url = await listen((request, response) => void forward(request, response));
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await new ForwardedBodies().read(request, response)) ?? Buffer.alloc(0);
    await received();
    const mayBeStored = request.headers['x-sent-before'] === 'yes';
    const outcome = await forwarder.forward({ request, response, client: '203.0.113.7', body, mayBeStored }, peer);
    outcomes.push(outcome);
    if (outcome !== 'done') response.writeHead(503).end(outcome);
  }
  return { url, outcomes };
}

/** Returns a function that resolves once it was called `count` times. */
function createBarrier(count: number): () => Promise<void> {
  let left = count;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (--left <= 0) open();
    return opened;
  };
}

/** Starts a holder that passes the reports of each batch to `handle`. */
async function holder(
  handle: (
    reports: PeerPart<ForwardedReport>[],
    respond: (index: number, body: string, status?: number) => void,
    end: () => void,
  ) => void,
): Promise<Peer> {
  const address = await listen((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    expect([request.url, request.headers[peerSecretHeader]]).toEqual([reportBatchPath, 'peer secret']);
    const reader = new PartReader<ForwardedReport>();
    const reports: PeerPart<ForwardedReport>[] = [];
    for await (const piece of request) reports.push(...reader.push(piece as Buffer));
    const respond = (index: number, body: string, status = 200): void =>
      void response.write(packPart({ index, status, headers: { 'x-from': 'holder' } }, Buffer.from(body)));
    handle(reports, respond, () => response.destroy());
  }
  return peerAt(address);
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { 'X-Page': 'shop', ...headers }, body });
  return `${response.status} ${response.headers.get('x-from')} ${await response.text()}`;
}

test('reports that arrive together are sent in one request, and each gets its own response', async () => {
  const batches: number[] = [];
  const peer = await holder((reports, respond) => {
    batches.push(reports.length);
    for (const [index, { head, body }] of reports.entries()) {
      expect(head).toMatchObject({ client: '203.0.113.7', headers: { 'x-page': 'shop' } });
      expect(head.headers).not.toHaveProperty('connection');
      respond(index, `seen ${body.toString()}`);
    }
  });
  const { url, outcomes } = await forwardingTo(peer, 40);
  const bodies = Array.from({ length: 40 }, (_, index) => `report ${index}`);
  const responses = await Promise.all(bodies.map((body) => post(url, body)));
  expect(responses).toEqual(bodies.map((body) => `200 holder seen ${body}`));
  expect(outcomes).toEqual(bodies.map(() => 'done'));
  expect(batches).toEqual([40]);
});

test('a report whose response takes long does not delay the others of its batch', async () => {
  const peer = await holder((reports, respond) => {
    for (const [index, { body }] of reports.entries()) if (body.toString() !== 'slow') respond(index, 'now');
  });
  const { url } = await forwardingTo(peer);
  let isSlowAnswered = false;
  const slow = post(url, 'slow').finally(() => (isSlowAnswered = true));
  expect(await Promise.all([post(url, 'one'), post(url, 'two')])).toEqual(['200 holder now', '200 holder now']);
  expect(isSlowAnswered).toBe(false);
  // The log has moved to another server.
  forwarder.abortExcept('another server');
  expect(await slow).toBe('503 null failed');
});

test('reports without a response count as possibly handled if the connection breaks', async () => {
  const peer = await holder((reports, respond, end) => {
    for (const [index, { body }] of reports.entries()) if (body.toString() === 'a') respond(index, 'first');
    setTimeout(end, 20);
  });
  const { url, outcomes } = await forwardingTo(peer);
  const responses = await Promise.all(['a', 'b', 'c'].map((body) => post(url, body)));
  expect(responses).toEqual(['200 holder first', '503 null failed', '503 null failed']);
  expect(outcomes.toSorted()).toEqual(['done', 'failed', 'failed']);
});

test('a report can be sent again if no server listens, or if the server does not hold the log', async () => {
  const standby = await listen((_request, response) => response.writeHead(503, { [notHolderHeader]: '1' }).end());
  for (const address of [standby, 'http://127.0.0.1:9']) {
    const { url } = await forwardingTo(peerAt(address));
    expect(await post(url, 'a')).toBe('503 null unhandled');
    forwarder.close();
  }
});

test('a report that is rejected after it may have been stored has an unknown outcome', async () => {
  const peer = await holder((reports, respond) => {
    for (const [index, { body }] of reports.entries()) respond(index, 'x', body.toString() === 'stored' ? 200 : 401);
  });
  const { url } = await forwardingTo(peer, 3);
  const sentBefore = { 'X-Sent-Before': 'yes' };
  const responses = [post(url, 'stored', sentBefore), post(url, 'rejected', sentBefore), post(url, 'rejected')];
  expect(await Promise.all(responses)).toEqual(['200 holder x', '503 null unknown', '401 holder x']);
});
