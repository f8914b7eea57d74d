import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { uploadCommand } from '../src/upload-command.ts';

test.each(['shop@1.2.3+4', 'dist/assets', '', 'my app', "it's", '$(id)', 'a\nb', '*', '~', 'é'])(
  'a shell reads %j as one word',
  (text) => {
    const command = `service() { printf '%s|' "$@"; }; ${uploadCommand(text, text)}`;
    const words = ['sourcemaps', 'upload', text, '--release', text, ''];
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(words.join('|'));
  },
);

test('common folders and releases are not quoted', () => {
  expect(uploadCommand('dist/assets', 'shop@1.2.3')).toBe('service sourcemaps upload dist/assets --release shop@1.2.3');
});

test('the release is optional', () => {
  expect(uploadCommand('DIR')).toBe('service sourcemaps upload DIR');
});
