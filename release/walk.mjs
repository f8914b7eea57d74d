// `npm run walk`: packs the packages, and walks from the tarballs to the first readable error in the dashboard.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newcomersWalk } from './newcomers-walk.mjs';
import { packAll } from './pack.mjs';

const folder = await mkdtemp(join(tmpdir(), 'service-walk-'));
try {
  const { totalSeconds } = await newcomersWalk(folder, await packAll(folder));
  console.log(`From the tarballs to the line of the error: ${totalSeconds().toFixed(0)} s`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
