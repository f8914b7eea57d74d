// `npm run release:version`: raises the version of all packages as the changesets say, writes it wherever it is named,
// and turns the changesets into a section of CHANGELOG.md.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogSection, largestOf, nextVersion, readChangesets } from './changesets.mjs';
import { manifestOf } from './pack.mjs';
import { documents, manifests, replaceVersion, root } from './version-places.mjs';

const changesets = readChangesets(join(root, '.changeset'));
const bump = largestOf(changesets.map((one) => one.bump));
if (!bump) {
  console.error('There is no changeset, so there is nothing to release.');
  process.exit(1);
}
const { version: current } = manifestOf(root);
const next = nextVersion(current, bump);

for (const file of [...manifests, ...documents]) {
  const path = join(root, file);
  if (!existsSync(path)) continue;
  const text = readFileSync(path, 'utf8');
  const changed = replaceVersion(text, current, next);
  if (changed !== text) writeFileSync(path, changed);
}

const changelog = join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(
  changelog,
  readFileSync(changelog, 'utf8')
    .replace(
      /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m,
      (_, unreleased) => `## Unreleased\n\n${changelogSection(next, today, unreleased.trim(), changesets)}\n\n`,
    )
    .trimEnd() + '\n',
);
for (const { file } of changesets) rmSync(file);
console.log(`${current} → ${next}. Run \`pnpm install\` to update the lockfile, then review and commit.`);
