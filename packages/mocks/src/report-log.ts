import type { AcceptedReport } from './accepted-report.ts';
import type { RejectedReport } from './rejected-report.ts';
import { sleep } from './sleep.ts';

const pollMs = 10;
/** Reports are sent in a later task. */
const timeoutMs = 1_000;
/** A response takes some milliseconds; the first one also the start of the server, on a machine that may be busy. */
const responseTimeoutMs = 10_000;

/** The reports that the app sent during a test, and which of them the test has checked. */
export class ReportLog {
  accepted: AcceptedReport[] = [];
  rejected: RejectedReport[] = [];
  /** True if the app may send reports that the test does not check. */
  allowsAll = false;
  /** The number of requests without a response. */
  pending = 0;
  readonly #expected = new Set<AcceptedReport>();

  expect(reports: Iterable<AcceptedReport>): void {
    for (const report of reports) this.#expected.add(report);
  }

  /** Returns the reports that the test has not looked at. */
  unexpected(): AcceptedReport[] {
    return this.allowsAll ? [] : this.accepted.filter((report) => !this.#expected.has(report));
  }

  /** Resolves once the condition holds, after a second without pending requests, or after ten seconds. */
  async waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
    const start = performance.now();
    while (!(await condition())) {
      const passed = performance.now() - start;
      if (passed > responseTimeoutMs || (passed > timeoutMs && this.pending === 0)) return;
      await sleep(pollMs);
    }
  }

  /** Resolves once every request has its response. */
  async waitForResponses(): Promise<void> {
    if (this.pending > 0) await this.waitUntil(() => this.pending === 0);
  }

  clear(): void {
    this.accepted = [];
    this.rejected = [];
    this.allowsAll = false;
    this.#expected.clear();
  }
}
