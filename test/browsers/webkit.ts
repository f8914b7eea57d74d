import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test-utils/free-port.ts';
import type { Engine } from './engine.ts';
import { openWebDriver, type WebDriver } from './webdriver.ts';

const libraries = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
const executablePath = process.env.MINIBROWSER_PATH || `${libraries}/webkit2gtk-4.1/MiniBrowser`;
const driverPath = process.env.WEBKITWEBDRIVER_PATH || '/usr/bin/WebKitWebDriver';

const needed = [
  [executablePath, 'webkit2gtk-driver'],
  [driverPath, 'webkit2gtk-driver'],
  ['/usr/bin/xvfb-run', 'xvfb'],
  ['/usr/bin/xauth', 'xauth'],
] as const;

/** WebKitGTK's MiniBrowser, controlled over classic WebDriver. It has no headless mode, so it gets a virtual screen. */
export const webkit: Engine = {
  name: 'WebKit',
  missing: [...new Set(needed.filter(([path]) => !existsSync(path)).map(([, name]) => name))].join(' ') || undefined,
  async launch() {
    const port = await freePort();
    // In a separate process group, because xvfb-run does not end its children.
    const child = spawn('xvfb-run', ['--auto-servernum', driverPath, `--port=${port}`], {
      stdio: 'ignore',
      detached: true,
    });
    const end = (): void => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    };
    const ended = once(child, 'exit');
    process.once('exit', end);
    let driver: WebDriver;
    try {
      driver = await openWebDriver(`http://127.0.0.1:${port}`, {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: executablePath, args: ['--automation'] },
        pageLoadStrategy: 'normal',
        timeouts: { pageLoad: 100_000, script: 100_000 },
      });
    } catch (error) {
      end();
      throw error;
    }
    const [, version] = /([\d.]+)$/.exec(String(driver.capabilities.browserVersion)) ?? [];

    async function evaluate(expression: string): Promise<string> {
      const script = `const done = arguments[0];
        Promise.resolve().then(() => (${expression})).then(
          (value) => done({ value: String(value) }),
          (error) => done({ error: String(error) }),
        )`;
      const { value, error } = (await driver.post('execute/async', { script, args: [] })) as Record<string, string>;
      if (value === undefined) throw new Error(error);
      return value;
    }

    // On a busy machine the driver reports that a page has loaded while the previous page is still current.
    async function load(command: string, body: object): Promise<void> {
      await evaluate('(self.isPreviousPage = true)');
      await driver.post(command, body);
      const isThere = `!self.isPreviousPage && document.readyState === 'complete'`;
      // An evaluation in between may fail with the previous page.
      for (let tries = 0; (await evaluate(isThere).catch(String)) !== 'true'; tries++) {
        if (tries > 6_000) throw new Error(`WebKit did not load the page: ${command} ${JSON.stringify(body)}`);
        await pause(10);
      }
    }

    return {
      version: `WebKitGTK ${version}`,
      goto: (url) => load('url', { url }),
      reload: () => load('refresh', {}),
      evaluate,
      async click(selector) {
        const element = (await driver.post('element', { using: 'css selector', value: selector })) as object;
        const [id] = Object.values(element) as string[];
        await driver.post(`element/${id}/click`, {});
      },
      async close() {
        await driver.end();
        process.off('exit', end);
        end();
        await ended;
      },
    };
  },
};
