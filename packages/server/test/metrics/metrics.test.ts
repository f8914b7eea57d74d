import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { Histogram } from '../../src/observability/histogram.ts';
import { histogramText, metricText } from '../../src/metrics/exposition.ts';
import { adminToken, cleanUp, describeInMemory, describeService } from '../test-utils/describe-service.ts';

afterEach(cleanUp);

/** Parses Prometheus text into values by name and labels. Throws for an invalid line. */
function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [, family, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (family !== undefined && type !== undefined) {
      if (types.has(family)) throw new Error(`${family} comes twice`);
      types.set(family, type);
    } else if (!/^# HELP \S+ \S/.test(line)) {
      const [, name = '', labels = '', value = ''] =
        /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/.exec(line) ?? [];
      if (!types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/, ''))) throw new Error(`no type: ${line}`);
      if (Number.isNaN(Number(value))) throw new Error(`no number: ${line}`);
      if (samples.has(name + labels)) throw new Error(`twice: ${line}`);
      samples.set(name + labels, Number(value));
    }
  }
  return samples;
}

describeInMemory('metrics', (start) => {
  test('metrics count accepted and rejected reports, writes and requests', async () => {
    const { call, report } = await start();
    await Promise.all([report(), report(), report({ message: 'Another' })]);
    await report({ project_api_key: 'pk_wrong' });
    await report({ message: 5 });
    await call('GET', 'projects/7');
    const { status, headers, text } = await call('GET', '/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const samples = samplesOf(text);
    expect(samples.get('service_reports_accepted_total')).toBe(3);
    expect(samples.get('service_reports_refused_total{reason="invalid_api_key"}')).toBe(1);
    expect(samples.get('service_reports_refused_total{reason="validation_failed"}')).toBe(1);
    expect(samples.get('service_groups')).toBe(2);
    expect(samples.get('service_projects')).toBe(1);
    expect(samples.get('service_storage_ready')).toBe(1);
    expect(samples.get('service_log_bytes')).toBeGreaterThan(0);
    expect(samples.get('service_batch_decisions_sum')).toBeGreaterThanOrEqual(4);
    expect(samples.get('service_append_duration_seconds_count')).toBeGreaterThan(0);
    expect(samples.get('service_http_requests_total{method="GET",route="/api/v1/projects/:id",status="404"}')).toBe(1);
    expect(samples.get('service_http_request_duration_seconds_count{method="GET",route="/api/v1/projects/:id"}')).toBe(
      1,
    );
    // Reports are not counted a second time as requests.
    expect([...samples.keys()].filter((name) => /requests_total.*POST.*errors"/.test(name))).toEqual([]);
  });

  test('methods that no route knows are counted together', async () => {
    const { service, call } = await start();
    for (let index = 0; index < 30; index++)
      await service.fetch(new Request('http://localhost/api/v1/projects', { method: `BREW${index}` }));
    const samples = samplesOf((await call('GET', '/metrics')).text);
    const brewed = [...samples.keys()].filter((name) => /requests_total.*(?:BREW|other)/.test(name));
    expect(brewed).toEqual(['service_http_requests_total{method="other",route="/api/v1/projects",status="405"}']);
  });

  test('metrics include the process and the delay of its event loop', async () => {
    const { call } = await start();
    await call('GET', '/metrics');
    const samples = samplesOf((await call('GET', '/metrics')).text);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    const lags = [...samples].filter(([name]) => name.startsWith('nodejs_eventloop_lag'));
    expect(lags.filter(([, seconds]) => !(seconds < 60))).toEqual([]);
  });

  test('metrics have labels for routes, not for the paths of clients', async () => {
    const { call } = await start();
    for (let id = 1; id <= 50; id++) await call('GET', `projects/${id}`);
    for (let id = 1; id <= 50; id++) await call('GET', `/nothing/${id}`);
    const samples = samplesOf((await call('GET', '/metrics')).text);
    expect(samples.get('service_http_requests_total{method="GET",route="/**",status="404"}')).toBe(50);
    expect([...samples.keys()].filter((name) => name.startsWith('service_http_requests_total')).length).toBeLessThan(6);
  });
});

describeService('GET /metrics', (start, driver) => {
  test('GET /metrics rejects every token except the operator’s', async () => {
    const { call } = await start();
    expect((await call('GET', '/metrics')).status).toBe(200);
    const wrong = await call('GET', '/metrics', { token: 'wrong' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_token']);
    const login = { email: 'admin@localhost', password: 'correct horse battery' };
    const { body } = await call<{ access_token: string }>('POST', 'auth/login', { body: login, token: null });
    const owner = await call('GET', '/metrics', { token: body.access_token });
    expect([owner.status, owner.body.code]).toEqual([403, 'forbidden']);
  });

  test('GET /metrics needs no token from this machine, if the request has a socket', async () => {
    const { call } = await start();
    expect((await call('GET', '/metrics', { token: null })).status).toBe(driver === 'file:' ? 200 : 401);
  });

  test('GET /metrics rejects pages of another site whose name resolves to this machine', async () => {
    const { service } = await start({ port: 0 });
    const { url } = await service.listen();
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request(`${url}/metrics`, { headers: { host } }, (response) =>
          resolve(response.resume().statusCode),
        );
        asked.on('error', reject).end();
      });
    expect(await statusFor('rebound.example:4400')).toBe(401);
    for (const own of ['localhost:4400', '127.0.0.1', '[::1]:4400', 'this-machine:4400'])
      expect(await statusFor(own)).toBe(200);
  });

  test.each([
    ['x-forwarded-for', '192.0.2.1'],
    ['x-forwarded-proto', 'https'],
    ['forwarded', 'for=192.0.2.1'],
    ['via', '1.1 proxy'],
    ['x-real-ip', '192.0.2.1'],
    ['cf-connecting-ip', '192.0.2.1'],
  ])('GET /metrics requires the token for requests through a proxy: %s', async (name, value) => {
    const { call } = await start();
    const response = await call('GET', '/metrics', { token: null, headers: { [name]: value } });
    expect([response.status, response.body.code]).toEqual([401, 'missing_token']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect((await call('GET', '/metrics', { token: adminToken, headers: { [name]: value } })).status).toBe(200);
  });
});

test('histogramText adds the counts of smaller buckets to each bucket', () => {
  const distribution = new Histogram([1, 10]);
  for (const value of [0.5, 1, 2, 10, 11]) distribution.add(value);
  expect(histogramText('sizes', 'Sizes.', [{ distribution, labels: { kind: 'a' } }])).toBe(
    [
      '# HELP sizes Sizes.',
      '# TYPE sizes histogram',
      'sizes_bucket{kind="a",le="1"} 2',
      'sizes_bucket{kind="a",le="10"} 4',
      'sizes_bucket{kind="a",le="+Inf"} 5',
      'sizes_sum{kind="a"} 24.5',
      'sizes_count{kind="a"} 5',
      '',
    ].join('\n'),
  );
});

test('metricText escapes quotes in labels', () => {
  const text = metricText('a', 'gauge', 'A.', [{ value: 1, labels: { b: 'c"} 2\n\\' } }]);
  expect(text.split('\n')[2]).toBe('a{b="c\\"} 2\\n\\\\"} 1');
});
