import { expect } from 'vitest';
import type { ErrorReport } from '../../../packages/browser/src/index.ts';
import type { Sink } from '../sink.ts';
import type { PageSource, TestContext } from '../test-context.ts';
import { forwardReports } from './forward-reports.ts';
import { watchPage } from './watch-page.ts';

/** A text, or a pattern that matches it. */
type Expected = string | RegExp;

/** What a page does to the SDK, and everything that it may cause. A promise that its script returns is awaited. */
export interface Abuse extends PageSource {
  /** The messages of all reports, in any order. None by default. */
  reports?: Expected[];
  /** The messages of the errors and rejections that the page's own handlers receive, in any order. */
  uncaught?: Expected[];
  /** The lines of the SDK in the console, in any order. */
  warnings?: Expected[];
  /** The abilities that the page itself breaks: keys of `abilities` in `watchPage`. */
  broken?: string[];
  /** True if the last error is not reported, because the SDK is closed, stopped or limited. */
  isSilent?: boolean;
  /** True if the page replaces the `onerror` that watches it. */
  replacesOnerror?: boolean;
  /** The responses to the reports, in place of those of a running server. */
  response?: Sink['response'];
  /** Acts on the page before the last error. */
  act?: (context: TestContext) => unknown;
  /** Checks the reports further. The last error is not among them. */
  check?: (reports: ErrorReport[], context: TestContext) => unknown;
}

const lastMessage = 'the error at the end';

/**
 * Returns a test case. The page loads the SDK and does what `given` says. Then it must still work: its functions do
 * what they did, and a last uncaught error reaches its own handlers and, unless `isSilent`, the server. Nothing but
 * what `given` expects was reported, thrown, rejected, or written to the console by the SDK. A running server accepts
 * each report, unless `given` has responses.
 */
export function abuse(given: Abuse): (context: TestContext) => Promise<void> {
  return async (context) => {
    const { sink, page, open } = context;
    const { reports: messages = [], uncaught = [], warnings = [], isSilent = false } = given;
    const statuses = await forwardReports(context);
    if (given.response) sink.response = given.response;
    await open({
      ...given,
      html: `<script src="watch.js"></script>${given.html ?? ''}`,
      files: { 'watch.js': `(${String(watchPage)})();`, ...given.files },
    });
    await expect.poll(() => page.run(() => !self.isScriptPending), { interval: 10, timeout: 60_000 }).toBe(true);
    await given.act?.(context);
    await page.run(() => void self.throwLast());
    const expected = isSilent ? messages : [...messages, lastMessage];
    // On a busy machine, reports and their responses may take longer than the page waits for them.
    const isComplete = async (): Promise<boolean> => {
      const lines = await page.run(() => self.settle().then(() => self.seen.lines.length));
      return sink.posts().length >= expected.length && lines >= warnings.length;
    };
    for (const endsAt = performance.now() + 60_000; !(await isComplete()) && performance.now() < endsAt;);
    const { seen, broken } = await page.run(
      async (expectedToFail) => ({ broken: await self.checkAbilities(expectedToFail), seen: self.seen }),
      given.broken ?? [],
    );
    const reports = sink.posts().map(({ body }) => JSON.parse(body) as ErrorReport);
    expectTexts(
      'reports',
      reports.map(({ message }) => message),
      expected,
    );
    expectTexts('uncaught errors', seen.uncaught, [...uncaught, lastMessage]);
    if (!given.replacesOnerror) expect(seen.onerror, 'calls of onerror').toContain(lastMessage);
    expectTexts('lines of the SDK', seen.lines, warnings);
    expect(broken, 'abilities that do not work').toEqual(given.broken ?? []);
    expect(
      statuses.filter((status) => status !== 200),
      'reports that the server rejected',
    ).toEqual([]);
    await given.check?.(
      reports.filter(({ message }) => message !== lastMessage),
      context,
    );
  };
}

/** Compares texts with what is expected, in any order. */
function expectTexts(what: string, texts: string[], expected: Expected[]): void {
  const shorten = (text: Expected): string => String(text).slice(0, 300);
  const assigned = assignTexts(texts, expected);
  const unexpected = texts.filter((_, index) => !assigned.has(index)).map(shorten);
  const found = new Set(assigned.values());
  const missing = expected.filter((_, index) => !found.has(index)).map(shorten);
  expect({ missing, unexpected }, what).toEqual({ missing: [], unexpected: [] });
}

/**
 * Assigns as many texts as possible to what is expected, by their indexes. Requests overtake each other, so a pattern
 * that matches several texts must not keep the one that another pattern needs.
 */
function assignTexts(texts: string[], expected: Expected[]): Map<number, number> {
  const assigned = new Map<number, number>();
  const assign = (wanted: Expected, wantedIndex: number, tried: Set<number>): boolean =>
    texts.some((text, index) => {
      if (tried.has(index) || !(typeof wanted === 'string' ? text === wanted : wanted.test(text))) return false;
      tried.add(index);
      const previous = assigned.get(index);
      const isFree = previous === undefined || assign(expected[previous] ?? '', previous, tried);
      if (isFree) assigned.set(index, wantedIndex);
      return isFree;
    });
  for (const [index, wanted] of expected.entries()) assign(wanted, index, new Set());
  return assigned;
}
