// The files of deploy/ and those for containers name only settings and paths that the server has, and other programs
// accept them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { Config, variableName } from '../../packages/server/src/config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const [, user] = /adduser .*-u (\d+)/.exec(read('Dockerfile')) ?? [];

interface Compose {
  services: Record<string, { environment?: Record<string, string>; volumes?: string[]; read_only?: boolean }>;
  volumes: Record<string, unknown>;
}

interface Deployment {
  kind: string;
  spec: {
    template: {
      spec: {
        securityContext: { runAsUser: number };
        containers: [
          {
            env: { name: string }[];
            startupProbe: { httpGet: { path: string } };
            livenessProbe: { httpGet: { path: string } };
            readinessProbe: { httpGet: { path: string } };
          },
        ];
      };
    };
  };
}

const settings = new Set<string>(Config.keyof().options.map(variableName));

test.each([
  'Dockerfile',
  'compose.yaml',
  'compose.cluster.yaml',
  'deploy/kubernetes/service.yaml',
  'deploy/systemd/service-server.service',
])('%s names only existing settings', (file) => {
  // A password of the database is not a setting of the server.
  const names = Array.from(read(file).matchAll(/\bSERVICE_(?!DATABASE_PASSWORD)\w+/g), ([name]) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !settings.has(name))).toEqual([]);
});

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (file) => {
  const { services, volumes } = parse(read(file), { merge: true }) as Compose;
  const servers = Object.entries(services).filter(([name]) => name.startsWith('server'));

  test('has servers with a read-only file system', () => {
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.map(([, { read_only }]) => read_only)).toEqual(servers.map(() => true));
  });

  test('declares the volumes that it uses, and mounts files that exist', () => {
    const sources = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
      mounts.map((mount) => mount.split(':')[0]!),
    );
    const declared = Object.keys(volumes);
    const isKnown = (source: string): boolean =>
      source.startsWith('./') ? existsSync(join(root, source)) : declared.includes(source);
    expect(sources.filter((source) => !isKnown(source))).toEqual([]);
    expect(sources).toEqual(expect.arrayContaining(declared));
  });
});

test('the proxy of compose.cluster.yaml forwards to its servers, each of which has the URL of its name', () => {
  const { services } = parse(read('compose.cluster.yaml'), { merge: true }) as Compose;
  const servers = Object.keys(services).filter((name) => name.startsWith('server'));
  expect(read('deploy/caddy/cluster.Caddyfile')).toContain(
    `reverse_proxy ${servers.map((name) => `${name}:4400`).join(' ')} {`,
  );
  expect(servers.map((name) => services[name]?.environment?.SERVICE_CLUSTER_URL)).toEqual(
    servers.map((name) => `http://${name}:4400`),
  );
});

test('the Kubernetes deployment has the user of the image, and probes paths of the server', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes/service.yaml')).map(
    (document) => document.toJS() as Deployment,
  );
  expect(documents.map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim', 'Deployment', 'Service']);
  const pod = documents[1]!.spec.template.spec;
  expect(String(pod.securityContext.runAsUser)).toBe(user);
  const [{ startupProbe, livenessProbe, readinessProbe }] = pod.containers;
  expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    '/healthz',
    '/healthz',
    '/readyz',
  ]);
});

test.runIf(has('caddy'))('Caddy accepts deploy/caddy/cluster.Caddyfile', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/caddy/cluster.Caddyfile')];
  const { status, stderr } = spawnSync('caddy', args, { encoding: 'utf8' });
  expect(status === 0 ? '' : stderr).toBe('');
});

describe.runIf(has('systemd-analyze'))('systemd', () => {
  const file = 'service-server.service';
  const analyze = (...args: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'service-unit-'));
    try {
      // The program need not be installed here.
      writeFileSync(
        join(folder, file),
        read(`deploy/systemd/${file}`).replace(/^ExecStart=.*/m, 'ExecStart=/bin/true'),
      );
      return spawnSync('systemd-analyze', [...args, join(folder, file)], { encoding: 'utf8' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test('accepts the unit', () => {
    const { status, stderr } = analyze('verify', '--man=no');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('rates the unit as well protected', () => {
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=20');
    expect(status === 0 ? '' : stdout).toBe('');
  });
});
