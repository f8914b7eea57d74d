import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { askProvider, requestBody } from '../../src/explain/ask-provider.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0)) end();
});

async function startProvider(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function ask(baseUrl: string, stop = new AbortController().signal): Promise<string> {
  return askProvider({ baseUrl, key: 'the-key', model: 'a-model' }, '{}', stop);
}

const completion = (content: unknown): string => JSON.stringify({ choices: [{ message: { content } }] });

test('an answer is its text, cut where it is too long to be a summary', async () => {
  const url = await startProvider((_, response) => void response.end(completion(` ${'ä'.repeat(20_000)} `)));
  const summary = await ask(url);
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(16 * 1024);
  expect(summary.endsWith('ä…[truncated]')).toBe(true);
});

test('an answer is stored without control characters and halves of surrogate pairs', async () => {
  const content = '\u0000## What\u0007 happened\r\nIt\tbroke \ud83d.\u009b1m 😀\rEnd\u0000';
  const url = await startProvider((_, response) => void response.end(completion(content)));
  expect(await ask(url)).toBe('## What happened\nIt\tbroke \ufffd.1m 😀\nEnd');
  const long = await startProvider((_, response) => void response.end(completion(`x${'😀'.repeat(20_000)}`)));
  expect(await ask(long)).toMatch(/^x(?:😀)+…\[truncated\]$/u);
});

test('a model that refuses a limit of tokens is asked for none', async () => {
  const baseUrl = await startProvider(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (text.includes('max_tokens')) response.writeHead(400).end('{"error":{"code":"unsupported_parameter"}}');
    else response.end(completion('It broke.'));
  });
  const provider = { baseUrl, key: null, model: 'a-model' };
  const body = requestBody(provider, { system: 'Help.', user: 'It broke.' });
  expect(await askProvider(provider, body, new AbortController().signal)).toBe('It broke.');
});

test.each<[what: string, answer: RequestListener, message: string, isPassing: boolean]>([
  ['refuses the key', (_, r) => void r.writeHead(401).end('{"error":"Bearer the-key"}'), 'answered 401.', false],
  ['has too much to do', (_, r) => void r.writeHead(429).end(), 'answered 429.', true],
  ['is down', (_, r) => void r.writeHead(502).end('<html>'), 'answered 502.', true],
  ['sends us elsewhere', (_, r) => void r.writeHead(307, { location: '/v2' }).end(), 'could not be reached.', true],
  ['hangs up', (_, r) => void r.destroy(), 'could not be reached.', true],
  ['hangs up in the middle', (_, r) => void r.write('{', () => r.destroy()), 'could not be reached.', true],
  ['speaks no JSON', (_, r) => void r.end('Hello!'), 'an answer that is no JSON.', true],
  ['says nothing', (_, r) => void r.end(completion('  ')), 'an empty answer.', true],
  ['says nothing that can be read', (_, r) => void r.end(completion('\u0000 \u001b')), 'an empty answer.', true],
  ['has another form', (_, r) => void r.end(completion([{ text: 'x' }])), 'an answer without a text.', true],
  ['never ends', (_, r) => void endlessly(r), 'an answer that is too long.', true],
])('a provider that %s is told of, without a word that it said', async (_, answer, message, isPassing) => {
  const error = await ask(await startProvider(answer)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ProviderError', isPassing });
  expect((error as Error).message).toMatch(/^The AI provider [a-z ]+(?:[a-z]|\d|JSON)+\.$/);
  expect((error as Error).message).toContain(message);
});

test('a provider has 60 seconds, for its whole answer', async () => {
  const limits: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms);
    const soon = new AbortController();
    setTimeout(() => soon.abort(new DOMException('late', 'TimeoutError')), 50);
    return soon.signal;
  });
  for (const answer of [() => undefined, (_: unknown, r: { write(text: string): unknown }) => void r.write('{')])
    await expect(ask(await startProvider(answer))).rejects.toThrow('did not answer in time.');
  expect(limits).toEqual([60_000, 60_000]);
});

test('a server that stops waits for no provider', async () => {
  const stopping = new AbortController();
  const asked = ask(await startProvider(() => stopping.abort()), stopping.signal);
  await expect(asked).rejects.toThrow('could not be reached');
});

function endlessly(response: { write(text: string): boolean; once(name: 'drain', then: () => void): unknown }): void {
  while (response.write(' '.repeat(64 * 1024)));
  response.once('drain', () => endlessly(response));
}
