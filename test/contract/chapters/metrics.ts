import { expect } from 'vitest';
import type { Chapter } from '../chapter.ts';
import type { Scene } from '../scene.ts';

/** Prometheus reads only such lines; NaN as Go does, in any letters. */
const line =
  /^(# HELP [a-zA-Z_:][\w:]* .+|# TYPE [a-zA-Z_:][\w:]* (counter|gauge|histogram|summary|untyped)|[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="([^"\\]|\\.)*"(,[a-zA-Z_]\w*="([^"\\]|\\.)*")*\})? ([+-]?(\d[\d.e+-]*|Inf)|[Nn]a[Nn]))$/;

/** How many reports it says to have accepted. */
async function accepted(scene: Scene): Promise<number> {
  const { text } = await scene.call('GET', '/metrics');
  return Number(/^service_reports_accepted_total (\d+)$/m.exec(text)?.[1]);
}

/** Numbers for the operator. */
export const metrics: Chapter = {
  name: 'metrics',
  tests: [
    {
      title: 'the token of the operator opens the metrics, and no other',
      proves: ['program.metrics.token'],
      steps: [
        { ask: 'GET /metrics', get: 200 },
        { ask: 'GET /metrics', headers: { 'x-forwarded-for': '192.0.2.1' }, get: 200 },
        { ask: 'GET /metrics', as: '{stranger}', get: 'forbidden' },
        { ask: 'GET /metrics', as: '{member}', get: 'forbidden' },
        { ask: 'GET /metrics', as: 'no-token-of-anybody', get: 'invalid_token' },
        { ask: 'GET /metrics', as: null, headers: { 'x-forwarded-for': '127.0.0.1' }, get: 'missing_token' },
      ],
    },
    {
      title: 'an owner who is signed in is not the operator',
      proves: ['program.metrics.token'],
      async run(scene) {
        const { access_token: token } = await scene.newSession();
        expect(await scene.codeOf('GET', '/metrics', { token })).toBe('forbidden');
      },
    },
    {
      title: 'who calls from this machine needs no token, but for a proxy that passes others on',
      proves: ['program.metrics.loopback'],
      places: ['program'],
      steps: [
        { ask: 'GET /metrics', as: null, get: 200 },
        ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'].map(
          (name) => ({
            ask: 'GET /metrics',
            as: null,
            headers: { [name]: 'for=127.0.0.1' },
            get: 'missing_token' as const,
          }),
        ),
      ],
    },
    {
      title: 'they are lines that Prometheus reads, and count what happens',
      proves: ['program.metrics.text'],
      async run(scene) {
        await scene.know('project');
        const before = await accepted(scene);
        await scene.accepted();
        await scene.accepted();
        expect((await scene.report({ message: 5 })).status).toBe(422);
        expect(await accepted(scene)).toBe(before + 2);
        const { text, headers } = await scene.call('GET', '/metrics');
        expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4(;|$)/);
        expect(text.endsWith('\n')).toBe(true);
        expect(text.split('\n').filter((one) => one && !line.test(one))).toEqual([]);
      },
    },
  ],
};
