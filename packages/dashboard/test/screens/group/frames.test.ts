import type { Frame, FrameResolution } from '@service/protocol';
import { expect, test } from 'vitest';
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
