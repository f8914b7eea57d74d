import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectRelease } from '../src/index.ts';

test.each([
  [{ SERVICE_RELEASE: ' 1.2.3 ', GITHUB_SHA: 'a' }, '1.2.3'],
  [{ SERVICE_RELEASE: '', GITHUB_SHA: 'github' }, 'github'],
  [{ CI_COMMIT_SHA: 'gitlab' }, 'gitlab'],
  [{ VERCEL_GIT_COMMIT_SHA: 'vercel' }, 'vercel'],
  [{ COMMIT_REF: 'netlify' }, 'netlify'],
  [{ CF_PAGES_COMMIT_SHA: 'cloudflare' }, 'cloudflare'],
  [{ BITBUCKET_COMMIT: 'bitbucket' }, 'bitbucket'],
  [{ CIRCLE_SHA1: 'circleci' }, 'circleci'],
  [{ BUILD_SOURCEVERSION: 'azure' }, 'azure'],
  [{ GIT_COMMIT: 'jenkins' }, 'jenkins'],
])('reads the release from %j', (env, release) => {
  expect(detectRelease(env, tmpdir())).toBe(release);
});

test('falls back to the commit of git, or to none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  expect(detectRelease({}, folder)).toBeNull();
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  git('init', '--quiet');
  expect(detectRelease({}, folder)).toBeNull();
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'first');
  expect(detectRelease({}, folder)).toBe(git('rev-parse', 'HEAD').trim());
  await rm(folder, { recursive: true });
});
