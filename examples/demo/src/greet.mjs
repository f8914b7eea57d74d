/** @import { FirstStart } from '@service/server' */

/**
 * Prints the addresses and sign-in data. The box has no right edge, and the snippet is outside the box, so that copied
 * lines contain no frame.
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
      'and at the very start of its entry point:',
      '',
      `  import { init } from '@service/browser';`,
      `  init({ apiKey: '${apiKey}', endpoint: '${url}' });`,
      '',
    ].join('\n'),
  );
}
