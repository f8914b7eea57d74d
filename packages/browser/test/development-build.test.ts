import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadPage, openPage, options, rejected, sent, serve } from './page.ts';

describe('the development build', () => {
  beforeEach(() => void vi.doMock('../src/advice.ts', () => import('../src/advice.development.ts')));
  afterEach(() => void vi.doUnmock('../src/advice.ts'));

  test.each([-1, 1.5, 50])('warns about a sampleRate of %d', async (sampleRate) => {
    await loadPage();
    vi.resetModules();
    const { checkOptionValues } = await import('../src/check-option-values.development.ts');
    checkOptionValues({ ...options, sampleRate });
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      [
        '[ServiceSDK] Option sampleRate must be from 0 to 1. Correct it in init(). An unknown option, or one of a wrong type, is ignored; every other value is used as it was given. See node_modules/@service/browser/docs/troubleshooting.md#w4 [W4]',
      ],
    ]);
  });

  test.each([
    [401, 8],
    [429, 9],
  ])('says once that nothing is sent after a %d', async (status, number) => {
    const { captureMessage } = await openPage();
    serve(() => rejected(status));
    captureMessage('x');
    await sent();
    const [[line = ''] = []] = vi.mocked(console.warn).mock.calls as string[][];
    expect(line).toMatch(new RegExp(`until the page is reloaded\\. .* \\[W${number}\\]$`));
    expect(line.match(/nothing more is sent/gi)).toHaveLength(1);
  });
});
