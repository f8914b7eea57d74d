import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { staleBuilds } from './builds.mjs';
import { isReady } from './installation.mjs';
import { packages } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Installs and builds what is missing or has changed. Exits if that fails; the cause has been printed by then.
 * @param {'demo' | 'examples'} purpose
 */
export function ensureSetup(purpose) {
  if (isReady(root, packages, purpose) && staleBuilds(root, packages).length === 0) return;
  const { status } = spawnSync(`npm run --silent setup -- ${purpose}`, { cwd: root, shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
