/** @import { FirstStart } from '@service/server' */

/**
 * Tells where everything is. The box has no right edge, and the snippet stands outside of it: whoever copies from a
 * terminal wants the line alone.
 * @param {{ url: string, signInLink: string, firstStart: FirstStart | null, apiKey: string }} facts
 */
export function greet({ url, signInLink, firstStart, apiKey }) {
  const lines = [`Dashboard: ${url}`, `Demo: ${url}/demo`, `Sign in: ${signInLink}`];
  if (firstStart) lines.push(`Owner: ${firstStart.email} / ${firstStart.password ?? 'the password you have set'}`);
  lines.push(`Project key: ${apiKey}`);
  console.log(
    [
      '',
      '╭─ Up and running: sign in, then open the demo and press its buttons. Ctrl+C stops it.',
      ...lines.map((line) => `│ ${line}`),
      '╰─',
      '',
      'In your own app:',
      '',
      `  npm install ${url}/packages/browser.tgz`,
      '',
      'and as its very first lines:',
      '',
      `  import { init } from '@service/browser';`,
      `  init({ apiKey: '${apiKey}', endpoint: '${url}' });`,
      '',
    ].join('\n'),
  );
}
