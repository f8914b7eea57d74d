import { deflateSync } from 'node:zlib';
import { limits, type ErrorGroup, type GroupDetails, type Page, type ReportDetails } from '@service/protocol';
import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import { describeInMemory, type TestService } from '../test-utils/describe-service.ts';
import { envelopeOf, event, postEnvelope, type Fields } from './sentry-client.ts';

const eventId = '0123456789abcdef0123456789abcdef';

describeInMemory('several events of an envelope', (start) => {
  test('are different reports, and the id of the envelope is that of the first', async () => {
    const service = await start();
    const events = [event(), event({ event_id: 'b'.repeat(32) }), event()];
    const { json } = await postEnvelope(service, envelopeOf(events, { event_id: eventId }));
    expect(json).toEqual({ id: eventId });
    expect((await service.call('GET', 'errors/1')).body.count).toBe(3);
  });

  test('count as several requests of their IP address', async () => {
    const service = await start({ addressReportsPerMinute: 5, trustProxy: ['loopback'] });
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const { status } = await postEnvelope(service, envelopeOf(Array.from({ length: 7 }, () => event())), { headers });
    expect(status).toBe(503);
    expect((await service.call('GET', 'errors/1')).body.count).toBe(5);
  });
});

describeInMemory('an event of a program', (start) => {
  /** A recursion as the SDK for Python sends it: all calls, and the local variables of each. */
  function recursion(frameCount: number, variables: number): object {
    const vars = Object.fromEntries(Array.from({ length: variables }, (_, index) => [`v${index}`, '1']));
    const frame = {
      filename: 'shop.py',
      abs_path: '/app/shop.py',
      function: 'total',
      module: 'shop',
      lineno: 3,
      in_app: true,
      pre_context: ['a', 'b', 'c', 'd', 'e'],
      context_line: 'return total()',
      post_context: ['f', 'g', 'h', 'i', 'j'],
      vars,
    };
    const stacktrace = { frames: Array.from({ length: frameCount }, () => frame) };
    return { type: 'RecursionError', value: 'maximum recursion depth exceeded', stacktrace };
  }

  test('is stored, however many of its values are dropped', async () => {
    const service = await start();
    const exception = { values: [recursion(1_000, 35)] };
    expect((await postEnvelope(service, envelopeOf([event({ platform: 'python', exception })]))).status).toBe(200);
    const { body } = await service.call('GET', 'errors/1');
    expect(body).toMatchObject({ type: 'RecursionError', count: 1, culprit: 'total (shop.py)' });
    expect(body.latest_report?.frames).toHaveLength(100);
    expect(body.latest_report?.truncated).toMatchObject({ exceptions: 1 });
  });

  test('is stored without its metadata if that has too many values', async () => {
    const service = await start();
    const extra = { list: Array.from({ length: 60_000 }, () => 0) };
    expect((await postEnvelope(service, envelopeOf([event({ extra })]))).status).toBe(200);
    const { latest_report: report } = (await service.call('GET', 'errors/1')).body;
    expect(report?.metadata).toEqual({ omitted: 'The event has too many values, or they are nested too deep.' });
    expect(report?.breadcrumbs).toHaveLength(1);
  });

  test('is stored without its metadata if that is nested too deep', async () => {
    const service = await start();
    // As deep as an event may be. In a report, `extra` is one level deeper.
    const extra: unknown = JSON.parse('{"a":'.repeat(limits.jsonDepth - 1) + '1' + '}'.repeat(limits.jsonDepth - 1));
    expect((await postEnvelope(service, envelopeOf([event({ extra })]))).status).toBe(200);
    const { latest_report: report } = (await service.call('GET', 'errors/1')).body;
    expect(report?.metadata).toEqual({ omitted: 'The event has too many values, or they are nested too deep.' });
    expect(report?.breadcrumbs).toHaveLength(1);
  });

  test('has no secrets in the body, the headers and the URLs of its request', async () => {
    const service = await start();
    const send = async (data: unknown): Promise<ReportDetails> => {
      const request = {
        url: 'https://shop.example/pay?token=tok1&page=2#access_token=tok2',
        headers: { Referer: 'https://shop.example/?token=tok3' },
        data,
      };
      const breadcrumbs = [{ category: 'fetch', data: { url: '/api/cart?token=tok4&id=7' } }];
      const exception = { values: [{ type: 'Error', value: 'failed' }] };
      await postEnvelope(service, envelopeOf([event({ exception, request, breadcrumbs })]));
      return (await service.call<GroupDetails>('GET', 'errors/1')).body.latest_report!;
    };
    const bodies = [
      '{"password":"hunter2","card":{"cvc":"hunter2"},"page":1}',
      'user=ada&password=hunter2',
      '{"user":"ada","password":"hunter2","page"',
      { password: 'hunter2' },
    ];
    for (const body of bodies) {
      const report = await send(body);
      expect(JSON.stringify(report)).not.toMatch(/hunter2|tok\d/);
      expect(report.url).toMatch(/page=2/);
      expect(report.breadcrumbs[0]?.data?.url).toMatch(/&id=7$/);
    }
    expect((await send('{"page":1}')).metadata.request).toEqual({ data: '{"page":1}', headers: expect.anything() });
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect((await send(deep)).metadata.request).toMatchObject({ data: expect.stringContaining('[[[') });
  });

  test.each([
    ['an error', { exception: { values: [{ type: 'ValueError', value: ' \n' }] } }, 'ValueError'],
    ['an error without a class', { exception: { values: [{ value: ' ' }] } }, '<unlabeled event>'],
    ['a log message', { exception: undefined, logentry: { message: ' ' } }, '<unlabeled event>'],
  ])('is stored if the text of %s is blank', async (_name, fields, message) => {
    const service = await start();
    expect((await postEnvelope(service, envelopeOf([event(fields)]))).status).toBe(200);
    expect((await service.call('GET', 'errors/1')).body).toMatchObject({ message, count: 1 });
  });

  test('with a log message is grouped by the template of the message', async () => {
    const service = await start();
    const log = (logentry: object): Fields => event({ exception: undefined, logentry });
    const events = [
      log({ message: 'login of %s failed', params: ['ada'] }),
      log({ message: 'login of %s failed', params: ['grace'] }),
      log({ message: 'login of %s failed', formatted: 'login of edsger failed' }),
      log({ message: '%(name)s took %(time).1f s', params: { name: 'ada', time: 2 } }),
      // Newer SDKs add the stack of the caller.
      event({
        logentry: { message: 'login of %s failed', params: ['alan'] },
        exception: {
          values: [
            {
              value: 'login of alan failed',
              mechanism: { type: 'generic', synthetic: true },
              stacktrace: { frames: [{ filename: 'https://shop.example/login.js', function: 'login', lineno: 1 }] },
            },
          ],
        },
      }),
      log({ message: '%s', params: ['one thing'] }),
      log({ message: '%s', params: ['another thing'] }),
    ];
    for (const each of events) expect((await postEnvelope(service, envelopeOf([each]))).status).toBe(200);
    expect((await groupsOf(service)).map(({ message, count }) => [message, count]).toSorted()).toEqual([
      ['ada took 2 s', 1],
      ['another thing', 1],
      ['login of alan failed', 4],
      ['one thing', 1],
    ]);
  });

  test('is grouped by all texts of its fingerprint, also if they are many', async () => {
    const service = await start();
    const parts = Array.from({ length: 30 }, (_, index) => `part ${index}`);
    const send = (fingerprint: string[]): Promise<unknown> =>
      postEnvelope(service, envelopeOf([event({ fingerprint })]));
    for (const fingerprint of [parts, parts, [...parts.slice(0, -1), 'other']]) await send(fingerprint);
    expect((await groupsOf(service)).map(({ count }) => count).toSorted()).toEqual([1, 2]);
  });
});

describeInMemory('an event of an older SDK', (start) => {
  test('is read from Base64 of compressed JSON', async () => {
    const service = await start();
    const send = async (body: Buffer): Promise<number> =>
      (await postEnvelope(service, body.toString('base64'), { path: 'store' })).status;
    for (const level of [1, 5, 6, 9]) expect(await send(deflateSync(JSON.stringify(event()), { level }))).toBe(200);
    expect((await service.call('GET', 'errors/1')).body.count).toBe(4);
    expect(await send(deflateSync(Buffer.alloc(100_000_000)))).toBe(413);
    expect(await send(deflateSync('{}').subarray(0, 5))).toBe(400);
  });
});

async function groupsOf({ call, project }: TestService): Promise<ErrorGroup[]> {
  return (await call<Page<ErrorGroup>>('GET', `errors?project_id=${project.id}`)).body.items;
}

describeInMemory('an event with awaiting callers', (start) => {
  const bundle = 'https://shop.example/assets/app.js';
  const source = [
    'function must(cart) {',
    "  if (!cart) throw new Error('There is no cart');",
    '}',
    'const load = [async (id) => {',
    '  const cart = await must(await read(id));',
    '  return cart.items;',
    '}];',
    'async function open(id) {',
    '  await load[0](id);',
    '}',
  ].join('\n');
  type Position = { line: number; column: number };
  const thrown: Position = { line: 2, column: 19 };
  const opening: Position = { line: 9, column: 2 };

  /** Returns a map of a bundle in one line. Its columns 1, 101 and 201 are those of the frames. */
  function sourceMap(loading: Position): string {
    const generator = new SourceMapGenerator({ file: 'app.js' });
    for (const [index, original] of [thrown, loading, opening].entries())
      generator.addMapping({ generated: { line: 1, column: index * 100 }, original, source: 'src/cart.ts' });
    generator.setSourceContent('src/cart.ts', source);
    return JSON.stringify(generator.toJSON());
  }

  async function startWith(loading: Position): Promise<TestService> {
    const service = await start();
    const body = new FormData();
    body.set('release', 'shop@1.2.3');
    body.set('file', new Blob([sourceMap(loading)]), 'app.js.map');
    await service.call('POST', 'projects/1/source-maps', { body });
    return service;
  }

  const frames = [
    { filename: bundle, function: 'async b', lineno: 1, colno: 201, in_app: true },
    { filename: bundle, function: '?', lineno: 1, colno: 101, in_app: true },
    { filename: bundle, function: 'a', lineno: 1, colno: 1, in_app: true },
  ];
  const exception = { values: [{ type: 'Error', value: 'There is no cart', stacktrace: { frames } }] };
  const parsed = envelopeOf([event({ exception })]);

  test.each([
    ['at its await', { line: 5, column: 15 }],
    ['at the statement into which a minifier has moved the await', { line: 6, column: 2 }],
  ])('has the fingerprint of a report by our SDK, although a frame is not marked as async: %s', async (_, loading) => {
    const service = await startWith(loading);
    const lines = [`at a (${bundle}:1:1)`, `at async ${bundle}:1:101`, `at async b (${bundle}:1:201)`];
    const stacktrace = ['Error: There is no cart', ...lines].join('\n    ');
    await service.report({ type: 'Error', message: 'There is no cart', release: 'shop@1.2.3', stacktrace });
    await postEnvelope(service, parsed);
    expect((await service.call('GET', 'errors/1')).body.count).toBe(2);
  });

  test('keeps a caller without a name whose frame is at a call', async () => {
    const service = await startWith({ line: 5, column: 21 });
    await postEnvelope(service, parsed);
    const { grouping } = (await service.call('GET', 'errors/1')).body;
    expect(grouping?.components).toEqual(['src/cart.ts', 'must', 'src/cart.ts', '', 'There is no cart']);
  });
});
