import type { ProblemCode } from '@service/protocol';
import { Histogram } from './histogram.ts';

const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The responses of one route and method. */
export interface CountedRequest {
  method: string;
  route: string;
  /** Number of responses by status. */
  byStatus: Map<number, number>;
  seconds: Histogram;
}

/**
 * Counts requests since the start as plain numbers: counting a report must cost no more than an addition, and only
 * /metrics reads them.
 */
export class RequestCounters {
  reportsAccepted = 0;
  readonly reportsRejected = new Map<ProblemCode, number>();
  /** One entry per route and method. Unknown paths share the catch-all route, so the number is bounded. */
  readonly requests = new Map<string, CountedRequest>();

  countRejectedReport(code: ProblemCode): void {
    this.reportsRejected.set(code, (this.reportsRejected.get(code) ?? 0) + 1);
  }

  countRequest(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route}`;
    let counted = this.requests.get(key);
    if (!counted) {
      counted = { method, route, byStatus: new Map(), seconds: new Histogram(secondsBounds) };
      this.requests.set(key, counted);
    }
    counted.byStatus.set(status, (counted.byStatus.get(status) ?? 0) + 1);
    counted.seconds.add(seconds);
  }
}
