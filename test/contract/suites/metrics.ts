import { expect } from 'vitest';
import type { TestContext } from '../context.ts';
import type { Suite } from '../suite.ts';
import { targets, type TargetName } from '../targets.ts';

/** The lines that Prometheus accepts. Go parses NaN in upper or lower case. */
const prometheusLine =
  /^(# HELP [a-zA-Z_:][\w:]* .+|# TYPE [a-zA-Z_:][\w:]* (counter|gauge|histogram|summary|untyped)|[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="([^"\\]|\\.)*"(,[a-zA-Z_]\w*="([^"\\]|\\.)*")*\})? ([+-]?(\d[\d.e+-]*|Inf)|[Nn]a[Nn]))$/;

const oneServer = (Object.keys(targets) as TargetName[]).filter((name) => !name.startsWith('cluster'));

/** Reads the counter of accepted reports. */
async function acceptedReports(context: TestContext): Promise<number> {
  const { text } = await context.call('GET', '/metrics');
  return Number(/^service_reports_accepted_total (\d+)$/m.exec(text)?.[1]);
}

/** The metrics for the operator. */
export const metrics: Suite = {
  name: 'metrics',
  tests: [
    {
      title: 'only the admin token can read the metrics',
      covers: ['program.metrics.token'],
      steps: [
        { request: 'GET /metrics', outcome: 200 },
        { request: 'GET /metrics', headers: { 'x-forwarded-for': '192.0.2.1' }, outcome: 200 },
        { request: 'GET /metrics', token: '{stranger}', outcome: 'forbidden' },
        { request: 'GET /metrics', token: '{member}', outcome: 'forbidden' },
        { request: 'GET /metrics', token: 'an-unknown-token', outcome: 'invalid_token' },
        { request: 'GET /metrics', token: null, headers: { 'x-forwarded-for': '127.0.0.1' }, outcome: 'missing_token' },
      ],
    },
    {
      title: 'a signed-in owner cannot read the metrics',
      covers: ['program.metrics.token'],
      async run(context) {
        const { access_token: token } = await context.createSession();
        expect(await context.outcome('GET', '/metrics', { token })).toBe('forbidden');
      },
    },
    {
      title: 'loopback can read the metrics without a token, unless a proxy forwards the request',
      covers: ['program.metrics.loopback'],
      targets: ['program'],
      steps: [
        { request: 'GET /metrics', token: null, outcome: 200 },
        ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'].map(
          (name) => ({
            request: 'GET /metrics',
            token: null,
            headers: { [name]: 'for=127.0.0.1' },
            outcome: 'missing_token' as const,
          }),
        ),
      ],
    },
    {
      title: 'the metrics are valid Prometheus text and count accepted reports',
      covers: ['program.metrics.text'],
      // A server counts the reports that it handles, and a request here reaches any of several.
      targets: oneServer,
      async run(context) {
        await context.fixture('project');
        const before = await acceptedReports(context);
        await context.createReport();
        await context.createReport();
        expect((await context.report({ message: 5 })).status).toBe(422);
        expect(await acceptedReports(context)).toBe(before + 2);
        const { text, headers } = await context.call('GET', '/metrics');
        expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4(;|$)/);
        expect(text.endsWith('\n')).toBe(true);
        expect(text.split('\n').filter((one) => one && !prometheusLine.test(one))).toEqual([]);
      },
    },
  ],
};
