import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';

afterEach(cleanUp);

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the command without its optional packages. Returns the folder. */
async function installWithoutPeers(): Promise<string> {
  const folder = await temporaryFolder();
  for (const part of ['bin', 'dist', 'public', 'package.json'])
    await cp(join(root, part), join(folder, part), { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link, 'junction');
  }
  return folder;
}

test.each([
  [
    {
      SERVICE_STRIPE_KEY: 'sk_test_51QkqW3rFq0Nn2yYb8T4xZ',
      SERVICE_STRIPE_WEBHOOK_SECRET: 'whsec_9f2b7c41d8e05a63b1f4',
    },
    'Payments by Stripe need the package stripe, which is not installed: npm install stripe@23',
  ],
  [
    { SERVICE_SMTP_URL: 'smtp://mail.example' },
    'E-mails need the package nodemailer, which is not installed: npm install nodemailer@10',
  ],
])('a start without a package that the settings need fails with one line that names the package', async (env, line) => {
  const folder = await installWithoutPeers();
  const failed = (await promisify(execFile)(
    process.execPath,
    [join(folder, 'bin/service-server.js'), '--port', '0', '--storage', `file:${join(folder, 'data')}`],
    { cwd: folder, env: { PATH: process.env.PATH, ...env } },
  ).catch((error: unknown) => error)) as { code: number; stdout: string; stderr: string };
  expect([failed.code, failed.stdout, failed.stderr]).toEqual([1, '', `service-server: ${line}\n`]);
});
