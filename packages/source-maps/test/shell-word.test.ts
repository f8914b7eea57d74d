import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../src/shell-word.ts';

test.each(['shop@1.2.3+4', 'dist/assets', '', 'my app', "it's", '$(id)', 'a\nb', '*', '~', 'é'])(
  'a shell reads %j as one word',
  (text) => {
    const command = `printf %s ${shellWord(text)}`;
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(text);
  },
);

test('a common release is not quoted', () => {
  expect(shellWord('shop@1.2.3')).toBe('shop@1.2.3');
});
