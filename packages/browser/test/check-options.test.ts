import { describe, expect, test, vi } from 'vitest';
import { newError, openPage, sent, theReport, warningTexts, warnings } from './page.ts';

// The modules of the `development` build, which replaces them in the same way.
vi.mock('../src/advice.ts', () => import('../src/advice.development.ts'));
vi.mock('../src/check-options.ts', () => import('../src/check-options.development.ts'));

describe('an option of a wrong type', () => {
  test.each<[string, unknown]>([
    ['sampleRate', 'often'],
    ['sampleRate', NaN],
    ['ignoreErrors', 'cart'],
    ['beforeSend', true],
    ['maxBreadcrumbs', '10'],
    ['breadcrumbs', false],
    ['debug', 1],
    ['release', 7],
    ['transport', 'https://errors.test'],
  ])('%s is named in a warning and ignored, and the other options apply', async (name, value) => {
    const { captureException } = await openPage({ environment: 'production', [name]: value });
    captureException(newError());
    expect(await theReport()).toMatchObject({ environment: 'production' });
    expect(warnings()).toEqual(['W4']);
    expect(warningTexts()[0]).toContain(`Option ${name} must be of type `);
  });
});

test('names an unknown option and the option with the most similar name', async () => {
  const { captureException } = await openPage({ sampelRate: 0 } as never);
  captureException(newError());
  expect(await sent()).toHaveLength(1);
  expect(warningTexts()[0]).toMatch(
    /^\[ServiceSDK\] Unknown option sampelRate\. The nearest is sampleRate\. The option is /,
  );
});

test('says what to do about a warning, with a link', async () => {
  const { init } = await openPage();
  init({ apiKey: 'pk_test', endpoint: 'https://errors.test' });
  expect(warningTexts()).toEqual([
    expect.stringMatching(/call close\(\) first\..* See \S+troubleshooting\.md#w1 \[W1\]$/),
  ]);
});
