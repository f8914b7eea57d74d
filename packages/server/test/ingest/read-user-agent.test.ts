import { expect, test } from 'vitest';
import { readUserAgent } from '../../src/ingest/read-user-agent.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const safari = (version: string): string =>
  `AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;

test.each([
  ['Windows 10 or later', 'Chrome 142', `(Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`],
  ['Windows 10 or later', 'Firefox 145', '(Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Windows 7', 'Chrome 142', `(Windows NT 6.1; Win64; x64) ${chrome} Safari/537.36`],
  ['macOS 10.15 or later', 'Chrome 142', `(Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36`],
  ['macOS 10.15 or later', 'Firefox 145', '(Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['macOS High Sierra', 'Safari 13', `(Macintosh; Intel Mac OS X 10_13_6) ${safari('13.1')}`],
  ['Android', 'Chrome 142', `(Linux; Android 10; K) ${chrome} Mobile Safari/537.36`],
  ['Android 10 or later', 'Firefox 145', '(Android 10; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Android 14', 'Chrome 142', `(Linux; Android 14; SM-S918B) ${chrome} Mobile Safari/537.36`],
  ['iOS 26', 'Safari 26', `(iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari('26.0')}`],
  ['iOS 26', 'Safari 26', `(iPad; CPU OS 18_7 like Mac OS X) ${safari('26.1')}`],
  ['iOS 18.6', 'Safari 18', `(iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari('18.6')}`],
  ['Linux', 'Chrome 142', `(X11; Linux x86_64) ${chrome} Safari/537.36`],
])('reads the system and the browser, without a version that browsers freeze: %s, %s', (os, browser, rest) => {
  expect(readUserAgent(`Mozilla/5.0 ${rest}`)).toEqual({ browser, os });
});

test('a report without a user agent has neither browser nor system', () => {
  expect(readUserAgent(null)).toEqual({ browser: null, os: null });
});
