import { execFileSync } from 'node:child_process';

/** Variables that name the release, in order: our own, then the commit as each CI service names it. */
const releaseVariables = [
  'SERVICE_RELEASE',
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'VERCEL_GIT_COMMIT_SHA',
  'CF_PAGES_COMMIT_SHA',
  'WORKERS_CI_COMMIT_SHA',
  'BITBUCKET_COMMIT',
  'CIRCLE_SHA1',
  'BUILD_SOURCEVERSION',
  'GIT_COMMIT',
  // Netlify. Its name is general, so it is the last one.
  'COMMIT_REF',
];

/** Returns the release of a build: from a variable, else the commit of the folder, else null. */
export function detectRelease(env: Readonly<Record<string, string | undefined>>, folder: string): string | null {
  for (const name of releaseVariables) {
    const value = env[name]?.trim();
    if (value) return value;
  }
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    });
    return commit.trim() || null;
  } catch {
    // No git, or no commit: a build without a release is fine.
    return null;
  }
}
