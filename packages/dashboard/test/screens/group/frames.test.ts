import type { Frame, FrameResolution } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { foldFrames } from '../../../src/screens/group/fold-frames.ts';
import { formatLocation, formatShortLocation } from '../../../src/screens/group/frame-location.ts';
import { symbolicationMessage } from '../../../src/screens/group/symbolication-messages.ts';

test.each([
  ['../../src/App.tsx', 'src/App.tsx:5:21', 'src/App.tsx:5:21'],
  ['src/App.tsx', 'src/App.tsx:5:21', 'src/App.tsx:5:21'],
  ['/srv/shop/app.py', '/srv/shop/app.py:5:21', '/srv/shop/app.py:5:21'],
  ['https://shop.example/app.js', 'https://shop.example/app.js:5:21', '/app.js:5:21'],
  [null, 'native code:5:21', 'native code:5:21'],
])('shows the location of a frame in %s', (file, location, shortLocation) => {
  const frame = { file, line: 5, column: 21 } as Frame;
  expect(formatLocation(frame)).toBe(location);
  expect(formatShortLocation(frame)).toBe(shortLocation);
});

test('does not call a line correct that a dev server may have changed', () => {
  const resolution = { result: 'not_minified', detail: {}, file: 'http://localhost:5173/src/App.tsx' };
  expect(symbolicationMessage(resolution as FrameResolution)).toContain(
    'File and line are correct, unless a dev server transformed it.',
  );
});

describe('foldFrames', () => {
  const runs = (stack: string) =>
    foldFrames([...stack].map((kind) => ({ in_app: kind === 'a' }) as Frame)).map(({ indexes, isLibrary }) =>
      isLibrary ? `(${indexes.join(' ')})` : indexes.join(' '),
    );
  test.each([
    ['all neighbours', 'alllal', ['0', '(1 2 3)', '4', '5']],
    ['not the first frame, where the error was thrown', 'lllla', ['0', '(1 2 3)', '4']],
    ['not in a stack without frames of the app', 'llll', ['0', '1', '2', '3']],
    ['none in an empty stack', '', []],
  ])('folds neighbouring library frames: %s', (_what, stack, folded) => {
    expect(runs(stack)).toEqual(folded);
  });
});
