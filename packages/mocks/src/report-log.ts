import type { AcceptedReport } from './accepted-report.ts';
import type { RejectedReport } from './rejected-report.ts';
import { realNow, sleep } from './sleep.ts';

const pollMs = 10;
/** The time for a report to be sent, which happens in a later task. */
const timeoutMs = 1_000;
/** The time for pending responses. The first one waits for the start of the server, on a machine that may be busy. */
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

  /** Returns the reports that the test has not checked. */
  unexpected(): AcceptedReport[] {
    return this.allowsAll ? [] : this.accepted.filter((report) => !this.#expected.has(report));
  }

  /** Resolves once the condition holds; without that, after a second, or after ten while a request is pending. */
  async waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
    const start = realNow();
    while (!(await condition())) {
      const passed = realNow() - start;
      if (passed > responseTimeoutMs || (passed > timeoutMs && this.pending === 0)) return;
      await sleep(pollMs);
    }
  }

  /** Resolves once every request has its response, at the latest after ten seconds. */
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
