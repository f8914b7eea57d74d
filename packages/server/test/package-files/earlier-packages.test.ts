import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createService } from '../../src/index.ts';
import { readClientPackages } from '../../src/package-files/client-packages.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';

afterEach(cleanUp);

const pinnedNames = (): string[] =>
  readClientPackages().flatMap(({ files }) => files.map(({ pinned_name }) => pinned_name));

/** Returns the name under which a version of the server with this content serves it. */
function pinnedNameOf(content: string, ending: string): string {
  return `browser-0.0.9-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${ending}`;
}

/** Starts a server on the folder, reads some of its packages, and stops it. */
async function readPackages(storageFolder: string, names: string[]): Promise<Response[]> {
  const service = await createService({ storage: `file:${storageFolder}`, logLevel: 'silent' });
  const responses = await Promise.all(
    names.map((name) =>
      service.fetch(new Request(`http://127.0.0.1:4400/packages/${name}`, { headers: { 'accept-encoding': 'gzip' } })),
    ),
  );
  await service.close();
  return responses;
}

describe('the packages of earlier versions of the server', () => {
  test('each version copies its files into the folder of its storage', async () => {
    const folder = await temporaryFolder();
    await readPackages(folder, []);
    expect(pinnedNames()).toHaveLength(3);
    expect((await readdir(join(folder, 'packages'))).toSorted()).toEqual(pinnedNames().toSorted());
  });

  test('a file is copied again if its copy is damaged', async () => {
    const folder = await temporaryFolder();
    const [name = ''] = pinnedNames();
    await mkdir(join(folder, 'packages'));
    await writeFile(join(folder, 'packages', name), 'half');
    await readPackages(folder, []);
    expect((await readFile(join(folder, 'packages', name))).length).toBeGreaterThan(1_000);
  });

  test('are served under their pinned names, if they are not damaged', async () => {
    const folder = await temporaryFolder();
    const [script, tarball] = [pinnedNameOf('var ServiceSDK', 'iife.js'), pinnedNameOf('a tarball', 'tgz')];
    const [damaged, unknown] = [pinnedNameOf('whole', 'tgz'), pinnedNameOf('unknown', 'tgz')];
    await mkdir(join(folder, 'packages'));
    const files = { [script]: 'var ServiceSDK', [tarball]: 'a tarball', [damaged]: 'who', 'notes.txt': 'mine' };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, 'packages', name), content);
    const responses = await readPackages(folder, [script, tarball, damaged, unknown, 'notes.txt', '..%2flog']);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 404]);
    const [one, other] = responses;
    expect(one?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(one?.headers.get('content-encoding')).toBe('gzip');
    for (const response of [one, other]) {
      expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response?.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(await other?.text()).toBe('a tarball');
  });
});
