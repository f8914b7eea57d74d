import type { Page, ReportDetails, ReportSummary } from '@service/protocol';
import { expect, test } from 'vitest';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';

const stack = (line: number): string =>
  [
    `TypeError: total is undefined`,
    `    at checkout (https://shop.example/assets/cart.js:${line}:7)`,
    `    at https://shop.example/assets/main.js:3:1`,
  ].join('\n');

describeService('POST /errors', (start) => {
  test('the first report of an error opens a group, the next one joins it', async () => {
    const { report } = await start();
    const first = await report({ stacktrace: stack(10) });
    const second = await report({ stacktrace: stack(10) });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      error_group_id: 1,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      is_new_group: true,
    });
    expect(second.body).toEqual({ ...first.body, is_new_group: false });
  });

  test('concurrent reports of one error open one group', async () => {
    const { report, call } = await start();
    const responses = await Promise.all(Array.from({ length: 64 }, () => report({ stacktrace: stack(10) })));
    expect(responses.filter(({ body }) => body.is_new_group)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => body.error_group_id)).size).toBe(1);
    const { body } = await call('GET', 'errors/1');
    expect(body.count).toBe(64);
  });

  test('a report is listed once its response is sent', async () => {
    const { report, call } = await start();
    await report({ message: 'It broke', environment: 'production', release: '1.2.0', type: 'RangeError' });
    const { body } = await call('GET', 'errors?project_id=1');
    expect(body).toMatchObject({ total: 1, page: 1, size: 50, pages: 1 });
    expect(body.items?.[0]).toMatchObject({
      error_group_id: 1,
      project_id: 1,
      status: 'active',
      type: 'RangeError',
      message: 'It broke',
      level: 'error',
      count: 1,
      users: 0,
      environments: ['production'],
      first_release: '1.2.0',
      last_release: '1.2.0',
      resolved_at: null,
      reopened_at: null,
      reopen_count: 0,
    });
    expect(body.items?.[0]?.trend).toHaveLength(24);
    expect(body.items?.[0]?.trend.at(-1)).toBe(1);
  });

  test('a resolved group is reopened by the next report of its fingerprint', async () => {
    const { report, call } = await start();
    await report();
    const resolved = await call('PATCH', 'errors/1/status', { body: { status: 'resolved' } });
    expect(resolved.body).toMatchObject({ status: 'resolved', resolved_at: expect.stringMatching(/Z$/) });
    expect((await report()).body).toMatchObject({ error_group_id: 1, is_new_group: false });
    const { body } = await call('GET', 'errors/1');
    expect(body).toMatchObject({
      status: 'active',
      resolved_at: null,
      reopened_at: expect.stringMatching(/Z$/),
      reopen_count: 1,
      count: 2,
    });
  });

  test('a duplicate event_id gets the first response and is not counted', async () => {
    const { report, call, restart } = await start({ errorQuota: 2 });
    const event_id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const first = await report({ event_id });
    expect((await report({ event_id })).body).toEqual(first.body);
    await report();
    // The quota is used up now: a duplicate still gets its response.
    expect((await report()).status).toBe(429);
    expect((await report({ event_id: event_id.toUpperCase() })).body).toEqual(first.body);
    expect((await call('GET', 'errors/1')).body.count).toBe(2);
    await restart();
  });

  test('accepts exactly the quota of concurrent reports', async () => {
    const { report } = await start({ errorQuota: 10 });
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => report({ message: `Error ${index % 3} of kind` })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    const rejected = responses.find(({ status }) => status === 429);
    expect(rejected?.body.code).toBe('error_quota_exhausted');
    expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('the next report after a deletion opens a new group with a new id', async () => {
    const { report, call } = await start();
    await report();
    expect((await call('DELETE', 'errors/1')).status).toBe(204);
    expect((await call('GET', 'errors/1')).body.code).toBe('group_not_found');
    expect((await report()).body).toMatchObject({ error_group_id: 2, is_new_group: true });
  });

  test('the details of a report return the sent fields', async () => {
    const { report, call } = await start();
    const sent = {
      message: 'It broke — ünïcödé 🎉 \u0000 end',
      stacktrace: stack(10),
      environment: 'production',
      release: '1.2.0',
      url: 'https://shop.example/cart?step=2',
      user_agent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      metadata: { cart: { items: [1, 2, { deep: true }] }, nothing: null },
      breadcrumbs: [
        { timestamp: '2026-11-20T09:00:00.000Z', type: 'navigation', category: 'history', data: { to: '/cart' } },
      ],
      timestamp: '2026-11-20T09:00:01.000Z',
      event_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
      user: { id: 'u-1', name: 'Ada Lovelace', email: 'ada@shop.example' },
      tags: { tenant: 'acme' },
      device: { viewport: '1280x720', language: 'en-GB', connection: '4g' },
      sdk: { name: '@service/browser', version: '0.1.0' },
      level: 'warning',
    };
    await report(sent);
    const { body } = await call('GET', 'errors/1');
    expect(body.latest_report).toMatchObject({ ...sent, type: 'TypeError', truncated: {}, id: 1, error_group_id: 1 });
    expect(body.latest_report).not.toHaveProperty('project_api_key');
    expect(body.latest_report?.frames).toHaveLength(2);
    expect(body.latest_report?.frames[0]).toEqual({
      function: 'checkout',
      file: 'https://shop.example/assets/cart.js',
      line: 10,
      column: 7,
      in_app: true,
      resolved: false,
      context: [],
      raw: { function: 'checkout', file: 'https://shop.example/assets/cart.js', line: 10, column: 7 },
    });
    expect(body.tags?.browser).toEqual([{ value: 'Chrome 156', count: 1 }]);
    expect(body.daily).toHaveLength(30);
    expect(body.grouping?.components.length).toBeGreaterThan(0);
    expect(body.ai_summary).toBeNull();
    expect(body.users).toBe(1);

    const { body: reports } = await call<Page<ReportSummary>>('GET', 'errors/1/reports');
    expect(reports).toMatchObject({
      total: 1,
      // Lists show no names and no addresses.
      items: [{ id: 1, message: sent.message, release: '1.2.0', url: sent.url, user: { id: 'u-1' } }],
    });
    expect(JSON.stringify(reports)).not.toMatch(/ada/i);
    const { body: one } = await call<ReportDetails>('GET', 'errors/1/reports/1');
    expect(one).toEqual(body.latest_report);
    expect((await call('GET', 'errors/1/reports/2')).body.code).toBe('report_not_found');
  });

  test('a restart restores everything and continues the ids', async () => {
    const { report, call, restart, service } = await start();
    await report({ stacktrace: stack(10), event_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' });
    await report({ message: 'Another thing' });
    await call('PATCH', 'errors/1/status', { body: { status: 'resolved' } });
    await call('DELETE', 'errors/2');
    const before = (await call('GET', 'errors/1')).text;
    const lost = service.storage.name === 'memory:';
    await restart();
    if (lost) return;
    expect((await call('GET', 'errors/1')).text).toBe(before);
    const repeat = await report({ stacktrace: stack(10), event_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' });
    expect(repeat.body).toMatchObject({ error_group_id: 1, is_new_group: true });
    expect((await report({ message: 'A third thing' })).body.error_group_id).toBe(3);
    expect((await call('GET', 'errors/3/reports')).body.items?.[0]).toMatchObject({ id: 3 });
  });

  test('stores the first and the newest of many equal reports, and counts all', async () => {
    const { report, call } = await start({ retentionReports: 5 });
    for (let index = 0; index < 12; index++) await report();
    const { body } = await call('GET', 'errors/1');
    expect(body.count).toBe(12);
    expect((await call('GET', 'errors/1/reports')).body.total).toBe(5);
  });
});

describeInMemory('the content of a report', (start) => {
  test('a report with another type or another frame opens another group', async () => {
    const { report } = await start();
    const ids = [];
    for (const fields of [
      { message: 'It broke' },
      { message: 'It fell' },
      { message: 'It broke', stacktrace: stack(1) },
    ]) {
      ids.push((await report(fields)).body.error_group_id);
    }
    expect(ids).toEqual([1, 2, 3]);
  });

  test('reports with equal fingerprints from the app form one group, whatever their stack is', async () => {
    const { report, call } = await start();
    const idOf = async (fields: object): Promise<unknown> => (await report(fields)).body.error_group_id;
    expect(await idOf({ message: 'It broke', stacktrace: stack(1), fingerprint: ['cart', 'total'] })).toBe(1);
    expect(await idOf({ message: 'It fell', fingerprint: ['cart', 'total'] })).toBe(1);
    expect(await idOf({ message: 'It broke', stacktrace: stack(1), fingerprint: ['cart,total'] })).toBe(2);
    expect(await idOf({ message: 'It broke', stacktrace: stack(1) })).toBe(3);
    const { body } = await call('GET', 'errors/1');
    expect(body.grouping).toEqual({ version: 2, rule: 'custom', components: ['cart', 'total'] });
    expect(body.latest_report).toMatchObject({ fingerprint: ['cart', 'total'], truncated: {} });
    // A fingerprint from the app never equals a computed one.
    const computed = (await call('GET', 'errors/3')).body.grouping?.components ?? [];
    expect(await idOf({ message: 'It broke', stacktrace: stack(1), fingerprint: computed })).toBe(4);
  });

  test.each([
    ['no text', []],
    ['eleven texts', Array<string>(11).fill('a')],
    ['a number', ['a', 1]],
    ['an object', { 0: 'a' }],
  ])('drops a fingerprint of %s', async (_, fingerprint) => {
    const { report, call } = await start();
    await report({ fingerprint });
    const { body } = await call('GET', 'errors/1');
    expect(body.grouping?.rule).not.toBe('custom');
    expect(body.latest_report).toMatchObject({ fingerprint: null, truncated: { fingerprint: 'dropped' } });
  });

  test('takes the message of a Python report from the last line of its stack', async () => {
    const { report, call } = await start();
    const stacktrace = 'Traceback (most recent call last):\n  File "/app/cart.py", line 3, in total\nValueError: no\n';
    expect((await report({ message: ' ', stacktrace })).status).toBe(200);
    const { body } = await call('GET', 'errors/1');
    expect(body).toMatchObject({ type: 'ValueError', message: 'ValueError: no', culprit: 'total (app/cart.py)' });
  });

  test('a blank message is replaced by the first line of the stack', async () => {
    const { report, call } = await start();
    expect((await report({ message: ' ', stacktrace: `\n${stack(10)}` })).status).toBe(200);
    expect((await call('GET', 'errors/1')).body.message).toBe('TypeError: total is undefined');
  });

  test.each([
    ['nothing to report', { message: '' }, 'message'],
    ['no message at all', { message: undefined }, 'message'],
    ['a number for a message', { message: 5 }, 'message'],
    ['an object for a stack', { stacktrace: {} }, 'stacktrace'],
    ['an object for breadcrumbs', { breadcrumbs: {} }, 'breadcrumbs'],
    ['a list for metadata', { metadata: [] }, 'metadata'],
    ['a number for an environment', { environment: 1 }, 'environment'],
    ['no key', { project_api_key: undefined }, 'project_api_key'],
    ['a null key', { project_api_key: null }, 'project_api_key'],
    ['a number for a key', { project_api_key: 7 }, 'project_api_key'],
  ])('rejects %s with 422', async (_, fields, path) => {
    const { report } = await start();
    const { status, body } = await report(fields);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', status: 422, errors: [{ path }] });
    expect(body.detail).toMatch(new RegExp(`^${path}: `));
  });

  test.each(['', 'pk_wrong', 'x'.repeat(500)])(
    'rejects a wrong API key with 401, whatever string it is',
    async (project_api_key) => {
      const { report } = await start();
      const { status, body } = await report({ project_api_key, message: 5 });
      expect([status, body.code]).toEqual([401, 'invalid_api_key']);
    },
  );

  test('ignores unknown fields, and drops and names unreadable optional fields', async () => {
    const { report, call } = await start();
    const extras = {
      timestamp: 'yesterday',
      event_id: 'no-uuid',
      debug_ids: [],
      user: 'me',
      sdk: 1,
      level: 'critical',
      fingerprint: 'cart',
      tags: ['a'],
      device: 'phone',
      type: 7,
      unknown: {},
    };
    expect((await report(extras)).status).toBe(200);
    const { body } = await call('GET', 'errors/1');
    expect(body.latest_report).toMatchObject({
      level: 'error',
      user: null,
      sdk: null,
      event_id: null,
      timestamp: null,
      fingerprint: null,
      tags: {},
      device: null,
      truncated: {
        timestamp: 'dropped',
        event_id: 'dropped',
        debug_ids: 'dropped',
        user: 'dropped',
        sdk: 'dropped',
        level: 'dropped',
        fingerprint: 'dropped',
        tags: 'dropped',
        device: 'dropped',
        type: 'dropped',
      },
    });
    expect(body.latest_report).not.toHaveProperty('unknown');
  });

  test('needs no header', async () => {
    const { service, project } = await start();
    const report = { project_api_key: project.api_key, message: 'It broke' };
    // fetch adds a Content-Type to a text, but not to bytes.
    const body = new TextEncoder().encode(JSON.stringify(report));
    const request = new Request('http://127.0.0.1:4400/api/v1/errors', { method: 'POST', body });
    expect([...request.headers]).toEqual([]);
    expect((await service.fetch(request)).status).toBe(200);
  });

  test('treats empty strings as absent', async () => {
    const { report, call } = await start();
    await report({ type: ' ', message: 'TypeError: boom', environment: '', release: '', user: { id: '' } });
    const { body } = await call('GET', 'errors/1');
    expect(body).toMatchObject({
      type: 'TypeError',
      environments: [],
      first_release: null,
      users: 0,
      tags: { release: [] },
    });
  });

  test('takes the user agent from the request header if the body has none', async () => {
    const { report, call } = await start();
    const headers = {
      origin: 'http://localhost:3000',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
    };
    await report({}, { headers });
    expect((await call('GET', 'errors/1')).body.tags?.browser).toEqual([{ value: 'Firefox 153', count: 1 }]);
  });
});
