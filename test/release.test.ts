import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changelogSection, nextVersion, parseChangeset } from '../release/changesets.mjs';
import { manifestOf } from '../release/pack.mjs';
import { documents, manifests, replaceVersion, root } from '../release/version-places.mjs';

const { version } = manifestOf(root);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('the version', () => {
  test.each(manifests)('is replaced in %s', (file) => {
    const changed = replaceVersion(read(file), version, '7.8.9');
    expect(changed).not.toBe(read(file));
    expect(changed.split('7.8.9').length).toBeGreaterThan(1);
  });

  test('is replaced wherever a page names a tarball', () => {
    const left = documents
      .filter((file) => existsSync(join(root, file)))
      .filter((file) => /service-[a-z-]+-\d|\/browser-\d/.test(replaceVersion(read(file), version, 'next')));
    expect(left).toEqual([]);
  });

  test('of other packages stays', () => {
    expect(replaceVersion('"acorn": "0.1.0"', '0.1.0', '7.8.9')).toBe('"acorn": "0.1.0"');
  });

  test.each([
    ['major', '1.0.0'],
    ['minor', '0.2.0'],
    ['patch', '0.1.5'],
  ] as const)('after a %s change of 0.1.4 is %s', (bump, next) => expect(nextVersion('0.1.4', bump)).toBe(next));
});

test('a changeset has the largest of its bumps', () => {
  const source = "---\n'@service/server': patch\n'@service/cli': minor\n---\n\nLists can be filtered.\n";
  expect(parseChangeset(source)).toEqual({ bump: 'minor', text: 'Lists can be filtered.' });
});

test.each(['No header', "---\n'@service/server': huge\n---\n\nText", '---\n---\n\nText'])(
  'a changeset that names no bump is an error: %j',
  (source) => expect(() => parseChangeset(source)).toThrow('A changeset names packages and bumps'),
);

test('the changelog has breaking changes first', () => {
  const changesets = (['patch', 'major'] as const).map((bump) => ({ file: '', bump, text: `A ${bump} change.` }));
  expect(changelogSection('1.0.0', '2026-12-01', '', changesets)).toBe(
    '## 1.0.0 (2026-12-01)\n\n### Breaking changes\n\n- A major change.\n\n### Fixed\n\n- A patch change.',
  );
});
