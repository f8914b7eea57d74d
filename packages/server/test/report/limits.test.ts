import { limits, truncationMark, type ReportDetails } from '@service/protocol';
import { expect, test } from 'vitest';
import { describeShared, type TestService } from '../test-utils/describe-service.ts';

async function storedReport({ report, call }: TestService, fields: object): Promise<ReportDetails> {
  const response = await report(fields);
  expect(response.text).toContain('"success":true');
  const { body } = await call('GET', `errors/${response.body.error_group_id}`);
  return body.latest_report as ReportDetails;
}

describeShared('reports over a limit', (shared) => {
  test.each([
    ['message', limits.messageChars],
    ['type', limits.typeChars],
    ['environment', limits.environmentChars],
    ['release', limits.releaseChars],
    ['url', limits.urlChars],
    ['user_agent', limits.userAgentChars],
  ] as const)('a report field %s over its limit is truncated', async (field, limit) => {
    const service = shared();
    const whole = 'a'.repeat(limit);
    expect(await storedReport(service, { [field]: whole })).toMatchObject({ [field]: whole, truncated: {} });
    expect(await storedReport(service, { [field]: `${whole}bc` })).toMatchObject({
      [field]: whole + truncationMark,
      truncated: { [field]: limit + 2 },
    });
    // The limit falls inside a surrogate pair, so the whole character is removed.
    const split = `${'a'.repeat(limit - 1)}🎉🎉`;
    expect(await storedReport(service, { [field]: split })).toMatchObject({
      [field]: 'a'.repeat(limit - 1) + truncationMark,
    });
  });

  test('a stack with many lines keeps its first and last lines', async () => {
    const service = shared();
    const lines = Array.from({ length: 300 }, (_, index) => `    at f${index} (https://a.example/a.js:1:${index + 1})`);
    const { stacktrace, truncated, frames } = await storedReport(service, { stacktrace: lines.join('\n') });
    expect(stacktrace?.split('\n')).toEqual([...lines.slice(0, 200), truncationMark, ...lines.slice(-50)]);
    expect(truncated).toEqual({ stacktrace: lines.join('\n').length });
    expect(frames.at(-1)?.function).toBe('f299');
    expect((await storedReport(service, { stacktrace: lines.slice(0, 250).join('\n') })).truncated).toEqual({});
  });

  test('a stack with long lines stays within its limits', async () => {
    const service = shared();
    const long = await storedReport(service, { stacktrace: `x${'y'.repeat(5_000)}\nz` });
    expect(long.stacktrace).toBe(`x${'y'.repeat(1_023)}${truncationMark}\nz`);
    const wide = await storedReport(service, {
      stacktrace: Array.from({ length: 250 }, () => '☃'.repeat(1_000)).join('\n'),
    });
    expect(Buffer.byteLength(wide.stacktrace ?? '')).toBeLessThanOrEqual(
      limits.stacktraceBytes + Buffer.byteLength(truncationMark),
    );
    expect(wide.stacktrace).not.toContain('\uFFFD');
  });

  test('metadata loses its last keys, deep values become text, and long strings are truncated', async () => {
    const service = shared();
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key${index}`, index]));
    const report = await storedReport(service, { metadata: many });
    expect(Object.keys(report.metadata)).toEqual(Object.keys(many).slice(0, 256));
    expect(report.truncated).toEqual({ metadata: 300 });

    const deep = { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } };
    expect((await storedReport(service, { metadata: deep })).metadata).toEqual({
      a: { b: { c: { d: { e: { f: { g: '{"h":1}' } } } } } },
    });

    const large = { first: 'a'.repeat(9_000), second: Array.from({ length: 8 }, () => 'b'.repeat(8_000)), last: 1 };
    const cut = await storedReport(service, { metadata: large });
    expect(cut.metadata).toEqual({ first: 'a'.repeat(8_192) + truncationMark });
    expect(cut.truncated).toEqual({ metadata: 3 });
  });

  test('metadata keys such as __proto__ are plain data', async () => {
    const service = shared();
    const metadata = '{"__proto__":{"admin":true},"constructor":1,"long":"' + 'a'.repeat(9_000) + '"}';
    const body = `{"project_api_key":"${service.project.api_key}","message":"m","metadata":${metadata}}`;
    const { body: response } = await service.report({}, { body });
    const { text } = await service.call('GET', `errors/${response.error_group_id}`);
    expect(text).toContain('"__proto__":{"admin":true}');
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test('the newest breadcrumbs are kept, and the data of a large one is truncated', async () => {
    const service = shared();
    const breadcrumb = (data: object) => ({
      timestamp: '2026-11-20T09:00:00.000Z',
      type: 'ui',
      category: 'click',
      data,
    });
    const many = await storedReport(service, {
      breadcrumbs: Array.from({ length: 120 }, (_, index) => breadcrumb({ index })),
    });
    expect(many.breadcrumbs.map(({ data }) => data.index)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 20),
    );
    expect(many.truncated).toEqual({ breadcrumbs: 120 });

    const large = await storedReport(service, {
      breadcrumbs: [breadcrumb({ keep: 1, text: 'a'.repeat(20_000), gone: 2 })],
    });
    const size = Buffer.byteLength(JSON.stringify(large.breadcrumbs[0]));
    expect(size).toBeLessThanOrEqual(limits.breadcrumbBytes);
    expect(size).toBeGreaterThan(limits.breadcrumbBytes - 10);
    expect(large.breadcrumbs[0]?.data).toMatchObject({ keep: 1, text: expect.stringMatching(/^a+…\[truncated\]$/) });

    const heavy = await storedReport(service, {
      breadcrumbs: Array.from({ length: 60 }, (_, index) => breadcrumb({ index, text: 'b'.repeat(3_500) })),
    });
    expect(Buffer.byteLength(JSON.stringify(heavy.breadcrumbs))).toBeLessThanOrEqual(limits.breadcrumbsBytes);
    expect(heavy.breadcrumbs.at(-1)?.data.index).toBe(59);

    const mixed = await storedReport(service, {
      breadcrumbs: [5, null, 'x', [], { type: 7 }, { timestamp: 'never' }, breadcrumb({ ok: true })],
    });
    expect(mixed.breadcrumbs).toEqual([breadcrumb({ ok: true })]);
    expect(mixed.truncated).toEqual({ breadcrumbs: 7 });
  });

  test('a lone surrogate becomes U+FFFD, a pair and an escaped backslash stay', async () => {
    const service = shared();
    const text = String.raw`\ud800 \ud83c\udf89 \\ud800 \udc00`;
    const body = `{"project_api_key":"${service.project.api_key}","message":"${text}"}`;
    const { body: response } = await service.report({}, { body });
    const { body: details } = await service.call('GET', `errors/${response.error_group_id}`);
    expect(details.latest_report?.message).toBe(String.raw`${'\uFFFD'} 🎉 \ud800 ${'\uFFFD'}`);
  });

  test('lists contain the first 300 characters of a message', async () => {
    const service = shared();
    await storedReport(service, { message: 'm'.repeat(1_000) });
    expect((await service.call('GET', 'errors')).body.items?.[0]?.message).toBe('m'.repeat(300));
  });
});
