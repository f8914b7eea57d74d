import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService, type Service } from '@service/server';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../bin/service.js', import.meta.url));
const token = 'test-admin-token-0123456789';
/** `script` of util-linux runs a command on a separate terminal. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false;
if (!hasTerminal) console.warn('script is not installed. What the command shows on a terminal is not tested.');

describe.skipIf(!hasTerminal)('on a terminal', () => {
  let folder: string;
  let service: Service;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-terminal-'));
    service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
    const { url } = await service.listen();
    await service.createProject({ name: 'Shop' });
    env = { SERVICE_ENDPOINT: url, XDG_CONFIG_HOME: folder };
    const { code, map } = await transform('export const total = (items: number[]) => items.length;\n', {
      loader: 'ts',
      minify: true,
      sourcefile: 'src/cart.ts',
      sourcemap: 'external',
    });
    await writeFile(join(folder, 'cart.js'), code);
    await writeFile(join(folder, 'cart.js.map'), map);
  });

  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true });
  });

  /**
   * Runs a command, and types an answer once a question is on the screen. Resolves with the exit code and the screen.
   */
  async function type(
    args: string,
    question: string,
    answer: string,
    settings: Record<string, string> = {},
  ): Promise<{ code: number | null; screen: string }> {
    const child = spawn('script', ['-qfec', `"${process.execPath}" "${bin}" ${args}`, '/dev/null'], {
      // `xdg-open` starts the program in BROWSER.
      env: { PATH: process.env.PATH, TERM: 'xterm', BROWSER: 'true', ...env, ...settings },
      stdio: 'pipe',
    });
    let screen = '';
    let isAnswered = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (isAnswered || question === '' || !screen.includes(question)) return;
      isAnswered = true;
      child.stdin.write(answer);
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, screen };
  }

  test('login does not show the token', async () => {
    const { code, screen } = await type('login', 'Token: ', `${token}\r`);
    expect(screen).toContain('Signed in to');
    expect(screen).not.toContain(token);
    expect(code).toBe(0);
  });

  test.each([
    ['no', 'n\r'],
    ['Ctrl+C', '\u0003'],
    ['the end of the input', '\u0004'],
  ])('a key is not replaced after %s', async (_, answer) => {
    const { code, screen } = await type('projects rotate-key Shop', '[y/N]', answer, { SERVICE_TOKEN: token });
    expect(screen).toContain('service: Nothing was changed.');
    expect(code).toBe(1);
  });

  test('an upload has a bar, and colors unless NO_COLOR is set', async () => {
    const upload = `sourcemaps upload "${folder}" --release 1`;
    const { code, screen } = await type(upload, '', '', { SERVICE_TOKEN: token });
    expect(screen).toContain('[..............................] 0/1');
    expect(screen).toContain('\u001B[32m✓');
    expect(code).toBe(0);
    const plain = await type(upload, '', '', { SERVICE_TOKEN: token, NO_COLOR: '1' });
    expect(plain.screen).toContain('cart.js ✓');
    expect(plain.screen).not.toContain('\u001B[32m');
  });
});
