import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminToken, startServer, type ServerProcess } from '../test-utils/server-process.ts';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
let folder: string;
let server: ServerProcess;
/** The names of all labels by metric. */
const labels = new Map<string, Set<string>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-metrics-'));
  server = await startServer(`file:${folder}`);
  // Some metrics exist only after a request, or after a rejected report.
  await server.call('GET', 'projects');
  await server.call('POST', 'errors', { project_api_key: 'unknown', message: 'x' });
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } });
  for (const line of (await response.text()).split('\n')) {
    const [, name, list = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (!name) continue;
    const known = labels.get(name) ?? new Set();
    labels.set(name, known);
    for (const [, label = ''] of list.matchAll(/(\w+)="/g)) known.add(label);
  }
});

afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true });
});

/** Returns the metrics of a PromQL expression. */
function metricsOf(expression: string): string[] {
  return Array.from(expression.matchAll(/\b(?:service|process|nodejs)_\w+/g), ([name]) => name);
}

async function expressions(file: string): Promise<string[]> {
  const text = await readFile(join(deploy, file), 'utf8');
  const found = file.endsWith('.json')
    ? text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)
    : text.matchAll(/^ +expr: (.+)$/gm);
  return Array.from(found, ([, code = '']) => (code.startsWith('"') ? (JSON.parse(code) as string) : code));
}

test.each(['prometheus/alerts.yaml', 'grafana/dashboard.json'])(
  'the server has all metrics and labels of deploy/%s',
  async (file) => {
    const all = await expressions(file);
    expect(all.length).toBeGreaterThan(5);
    expect(all.flatMap(metricsOf).filter((name) => !labels.has(name))).toEqual([]);
    const missing = all.flatMap((expression) => {
      const known = new Set(metricsOf(expression).flatMap((name) => [...(labels.get(name) ?? [])]));
      const grouped = Array.from(expression.matchAll(/by \(([\w, ]+)\)/g), ([, list = '']) => list.split(', ')).flat();
      // The label of a selector; Prometheus itself adds `job`.
      const selected = Array.from(expression.matchAll(/[{,](\w+)=~?"/g), ([, label = '']) => label);
      return [...grouped, ...selected].filter((label) => label !== 'job' && !known.has(label));
    });
    expect(missing).toEqual([]);
  },
);
