import type { RequestListener } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { serveOnLoopback } from '../../../../test/test-utils/serve-on-loopback.ts';
import { askProvider, requestBody } from '../../src/explain/ask-provider.ts';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of cleanups.splice(0)) await close();
});

async function startProvider(answer: RequestListener): Promise<string> {
  const { url, close } = await serveOnLoopback(answer);
  cleanups.push(close);
  return `${url}v1`;
}

function ask(baseUrl: string, stop = new AbortController().signal): Promise<string> {
  return askProvider({ baseUrl, key: 'the-key', model: 'a-model' }, '{}', stop);
}

const completion = (content: unknown): string => JSON.stringify({ choices: [{ message: { content } }] });

test('askProvider resolves with the text, truncated to the maximum size of a summary', async () => {
  const url = await startProvider((_, response) => void response.end(completion(` ${'ä'.repeat(20_000)} `)));
  const summary = await ask(url);
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(16 * 1024);
  expect(summary.endsWith('ä…[truncated]')).toBe(true);
});

test('askProvider removes control characters and lone surrogates', async () => {
  const content = '\u0000## What\u0007 happened\r\nIt\tbroke \ud83d.\u009b1m 😀\rEnd\u0000';
  const url = await startProvider((_, response) => void response.end(completion(content)));
  expect(await ask(url)).toBe('## What happened\nIt\tbroke \ufffd.1m 😀\nEnd');
  const long = await startProvider((_, response) => void response.end(completion(`x${'😀'.repeat(20_000)}`)));
  expect(await ask(long)).toMatch(/^x(?:😀)+…\[truncated\]$/u);
});

test('askProvider joins the text parts of a response and ignores its other parts', async () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: '## What happened\n' },
    { type: 'text', text: 'It broke.' },
    { type: 'text', text: null },
    null,
  ];
  const url = await startProvider((_, response) => void response.end(completion(content)));
  expect(await ask(url)).toBe('## What happened\nIt broke.');
});

test('the request to a provider has no token limit, which some models reject', async () => {
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

test.each<[failure: string, answer: RequestListener, message: string, isTransient: boolean]>([
  [
    'rejects the key',
    (_, r) => void r.writeHead(401).end('{"error":"Bearer the-key"}'),
    'responded with status 401.',
    false,
  ],
  ['is overloaded', (_, r) => void r.writeHead(429).end(), 'responded with status 429.', true],
  ['is down', (_, r) => void r.writeHead(502).end('<html>'), 'responded with status 502.', true],
  ['redirects', (_, r) => void r.writeHead(307, { location: '/v2' }).end(), 'could not be reached.', true],
  ['closes the connection', (_, r) => void r.destroy(), 'could not be reached.', true],
  [
    'closes the connection during the response',
    (_, r) => void r.write('{', () => r.destroy()),
    'could not be reached.',
    true,
  ],
  ['does not send JSON', (_, r) => void r.end('Hello!'), 'a response that is not JSON.', true],
  ['sends no text', (_, r) => void r.end(completion('  ')), 'an empty response.', true],
  ['sends only control characters', (_, r) => void r.end(completion('\u0000 \u001b')), 'an empty response.', true],
  ['uses another format', (_, r) => void r.end(completion([{ text: 'x' }])), 'a response without text.', true],
  [
    'sends only thoughts',
    (_, r) => void r.end(completion([{ type: 'thinking', text: 'x' }])),
    'a response without text.',
    true,
  ],
  ['never ends its response', (_, r) => void writeEndlessly(r), 'a response that is too long.', true],
])('a provider that %s is reported without any text of its response', async (_, answer, message, isTransient) => {
  const error = await ask(await startProvider(answer)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ProviderError', isTransient });
  expect((error as Error).message).toMatch(/^The AI provider [a-z ]+(?:[a-z]|\d|JSON)+\.$/);
  expect((error as Error).message).toContain(message);
});

test('a request to a provider times out after 60 seconds, including its body', async () => {
  const timeouts: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    timeouts.push(ms);
    const soon = new AbortController();
    setTimeout(() => soon.abort(new DOMException('late', 'TimeoutError')), 50);
    return soon.signal;
  });
  for (const answer of [() => undefined, (_: unknown, r: { write(text: string): unknown }) => void r.write('{')])
    await expect(ask(await startProvider(answer))).rejects.toThrow('did not respond in time.');
  expect(timeouts).toEqual([60_000, 60_000]);
});

test('a request to a provider is aborted when the server stops', async () => {
  const stopping = new AbortController();
  const asked = ask(await startProvider(() => stopping.abort()), stopping.signal);
  await expect(asked).rejects.toThrow('could not be reached');
});

function writeEndlessly(response: {
  write(text: string): boolean;
  once(name: 'drain', then: () => void): unknown;
}): void {
  while (response.write(' '.repeat(64 * 1024)));
  response.once('drain', () => writeEndlessly(response));
}
