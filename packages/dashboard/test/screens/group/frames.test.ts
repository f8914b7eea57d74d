import type { Frame } from '@service/protocol';
import { expect, test } from 'vitest';
import { formatLocation, formatShortLocation } from '../../../src/screens/group/frame-location.ts';

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
