import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url));

const packageNames = readdirSync(join(root, 'packages'));
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') && !file.includes('node_modules') && !file.startsWith('decisions'))
  .map((file) => `docs/${file}`);

/** The files that always name the version. */
export const manifests = [
  'package.json',
  ...packageNames.filter((name) => name !== 'python').map((name) => `packages/${name}/package.json`),
  'packages/browser/src/report-details.ts',
  'packages/python/pyproject.toml',
  'packages/python/src/service_sdk/_client.py',
  'deploy/kubernetes/service.yaml',
];

/** The pages that may name it in an example. */
export const documents = ['README.md', ...packageNames.map((name) => `packages/${name}/README.md`), ...pages];

/** What precedes the version of our packages. Other versions in these files are those of other packages. */
const before = [
  '"version": "',
  String.raw`"@service\/[a-z-]+": "`,
  "const version = '",
  '^(?:version|VERSION) = "',
  'service-[a-z-]+[-:]',
  String.raw`packages\/browser-`,
];

/**
 * Replaces the version of our packages in a text.
 *
 * @param {string} text
 * @param {string} current
 * @param {string} next
 */
export function replaceVersion(text, current, next) {
  const pattern = new RegExp(String.raw`(${before.join('|')})${current.replaceAll('.', String.raw`\.`)}`, 'gm');
  return text.replace(pattern, (_, start) => start + next);
}
