import { MockService, reportLogOf } from '../mock-service.ts';
import { sleep } from '../sleep.ts';
import type { AcceptedReport } from '../accepted-report.ts';
import type { ReportLog } from '../report-log.ts';
import { flushSdk } from '../app-sdk.ts';
import { describeLog, titleOf } from './describe-reports.ts';
import { matchesPattern } from './matches-pattern.ts';

/** The time to wait for reports that must not arrive, after the SDK has sent everything. */
const quietMs = 50;

interface MatcherContext {
  isNot?: boolean;
}

interface MatcherResult {
  pass: boolean;
  message: () => string;
}

/**
 * An expected report: a text or a regular expression for `Type: message`, or the expected fields, in which regular
 * expressions match texts at any depth.
 */
export type ExpectedReport = string | RegExp | ReportPattern;

/** The expected fields of a report. */
export type ReportPattern = { [Field in keyof AcceptedReport]?: unknown };

/** The expected fields of a breadcrumb. */
export interface BreadcrumbPattern {
  type?: unknown;
  category?: unknown;
  timestamp?: unknown;
  data?: unknown;
}

/**
 * The matchers, for `expect.extend()` of Vitest, Jest and Playwright. Each waits up to a second, or ten while a request
 * is pending.
 */
export const serviceMatchers = {
  /** Passes once the app has reported what is expected, at least once. */
  async toHaveReported(this: MatcherContext, service: MockService, expected?: ExpectedReport): Promise<MatcherResult> {
    const log = reportLogOf(service);
    const matching = (): AcceptedReport[] => log.accepted.filter((report) => isExpected(report, expected));
    await settle(log, this.isNot, () => matching().length > 0);
    log.expect(matching());
    return result(log, matching().length > 0, `a report${describeExpected(expected)}`);
  },

  /** Passes once the app has reported what is expected exactly once. */
  async toHaveReportedOnce(
    this: MatcherContext,
    service: MockService,
    expected?: ExpectedReport,
  ): Promise<MatcherResult> {
    const log = reportLogOf(service);
    const matching = (): AcceptedReport[] => log.accepted.filter((report) => isExpected(report, expected));
    if (!this.isNot) await log.waitUntil(() => matching().length > 0);
    // A second one may follow.
    await settle(log, true, () => false);
    log.expect(matching());
    const found = matching().length;
    return result(log, found === 1, `exactly one report${describeExpected(expected)}, found ${found}`);
  },

  /** Passes once a report has a breadcrumb with the expected fields. */
  async toHaveBreadcrumb(
    this: MatcherContext,
    service: MockService,
    expected: BreadcrumbPattern,
  ): Promise<MatcherResult> {
    const log = reportLogOf(service);
    const matching = (): AcceptedReport[] =>
      log.accepted.filter(({ breadcrumbs }) => breadcrumbs?.some((breadcrumb) => matchesPattern(breadcrumb, expected)));
    await settle(log, this.isNot, () => matching().length > 0);
    log.expect(matching());
    const found = log.accepted.flatMap(({ breadcrumbs }) => breadcrumbs ?? []);
    const lines = found.map(({ category, type, data }) => `  ${category} · ${type} · ${JSON.stringify(data)}`);
    const list = lines.length > 0 ? `\nBreadcrumbs (${lines.length}):\n${lines.join('\n')}` : '';
    return result(log, matching().length > 0, `a breadcrumb${describeExpected(expected)}`, list);
  },

  /** Passes once the server has grouped the reports into this number of errors. */
  async toHaveGroups(this: MatcherContext, service: MockService, count: number): Promise<MatcherResult> {
    const log = reportLogOf(service);
    const isReached = async (): Promise<boolean> => (await service.groups()).length === count;
    await settle(log, this.isNot === true || count === 0, isReached);
    const groups = await service.groups();
    const list = groups.map(({ type, message, count: reports }) => `  ${type}: ${message} (${reports})`).join('\n');
    return result(
      log,
      groups.length === count,
      `${count} errors, found ${groups.length}`,
      list && `\nErrors:\n${list}`,
    );
  },
};

/** Waits until a condition holds or the time is up. With `isNot`, waits until all reports have arrived. */
async function settle(
  log: ReportLog,
  isNot: boolean | undefined,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  if (!isNot) {
    await log.waitUntil(condition);
    return;
  }
  await flushSdk();
  await sleep(quietMs);
  await log.waitForResponses();
}

function isExpected(report: AcceptedReport, expected: ExpectedReport | undefined): boolean {
  if (expected === undefined) return true;
  if (typeof expected === 'string') return titleOf(report).includes(expected);
  const isText = Object.prototype.toString.call(expected) === '[object RegExp]';
  return matchesPattern(isText ? titleOf(report) : report, expected);
}

function result(log: ReportLog, pass: boolean, expected: string, more = ''): MatcherResult {
  // Described at once: the log is cleared before a runner prints the message.
  const text = `Expected the service ${pass ? 'not ' : ''}to have ${expected}.\n${describeLog(log)}${more}`;
  return { pass, message: () => text };
}

function describeExpected(expected: unknown): string {
  if (expected === undefined) return '';
  if (typeof expected === 'string') return ` with ${JSON.stringify(expected)}`;
  return ` like ${formatPattern(expected)}`;
}

function formatPattern(pattern: unknown): string {
  if (Object.prototype.toString.call(pattern) === '[object RegExp]') return String(pattern);
  if (Array.isArray(pattern)) return `[${pattern.map(formatPattern).join(', ')}]`;
  if (typeof pattern !== 'object' || pattern === null) return JSON.stringify(pattern) ?? String(pattern);
  return `{ ${Object.entries(pattern)
    .map(([key, value]) => `${key}: ${formatPattern(value)}`)
    .join(', ')} }`;
}

/** The types of the matchers, for the `expect` of a test runner. */
export interface ServiceMatchers<Result> {
  /** Passes once the app has reported this. Without an argument, any report passes. */
  toHaveReported(expected?: ExpectedReport): Promise<Result>;
  /** Passes once the app has reported this exactly once. */
  toHaveReportedOnce(expected?: ExpectedReport): Promise<Result>;
  /** Passes once a report has this breadcrumb. */
  toHaveBreadcrumb(expected: BreadcrumbPattern): Promise<Result>;
  /** Passes once the server has grouped the reports into this number of errors. */
  toHaveGroups(count: number): Promise<Result>;
}
