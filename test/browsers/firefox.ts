import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBiDi } from './bidi.ts';
import type { Engine } from './engine.ts';

const executablePath = process.env.FIREFOX_PATH || '/usr/bin/firefox-esr';

/** Firefox, controlled over WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: existsSync(executablePath) ? undefined : 'firefox-esr',
  async launch() {
    const profile = await mkdtemp(join(tmpdir(), 'service-firefox-'));
    // Under remote control, Firefox itself disables its background requests.
    const child = spawn(
      executablePath,
      ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const end = (): void => void child.kill();
    const ended = once(child, 'exit');
    process.once('exit', end);
    const { send, capabilities } = await openBiDi(await addressOf(child));
    const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
    const context = contexts[0]?.context;

    async function evaluate(expression: string): Promise<{ value?: string; sharedId?: string }> {
      const { result, exceptionDetails } = (await send('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: true,
      })) as { result?: { value?: string; sharedId?: string }; exceptionDetails?: { text: string } };
      if (!result) throw new Error(exceptionDetails?.text);
      return result;
    }

    return {
      version: `Firefox ${capabilities.browserVersion as string}`,
      async goto(url) {
        await send('browsingContext.navigate', { context, url, wait: 'complete' });
      },
      async reload() {
        await send('browsingContext.reload', { context, wait: 'complete' });
      },
      evaluate: async (expression) => String((await evaluate(expression)).value),
      async click(selector) {
        const { sharedId } = await evaluate(
          `(() => { const found = document.querySelector(${JSON.stringify(selector)}); found.scrollIntoView(); return found; })()`,
        );
        const origin = { type: 'element', element: { sharedId } };
        const actions = [
          { type: 'pointerMove', x: 0, y: 0, origin },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ];
        await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
      },
      async setOffline(isOffline) {
        const networkConditions = isOffline ? { type: 'offline' } : null;
        await send('emulation.setNetworkConditions', { networkConditions, contexts: [context] });
      },
      async close() {
        await send('browser.close', {});
        process.off('exit', end);
        await ended;
        await rm(profile, { recursive: true, force: true });
      },
    };
  },
};

/** Resolves with the address that Firefox writes to its output. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (piece: Buffer) => {
      output += piece.toString();
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(output) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`Firefox stopped with ${code} before it was ready.\n${output}`)));
  });
}
