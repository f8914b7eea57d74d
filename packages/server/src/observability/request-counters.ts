import type { ProblemCode } from '@service/protocol';
import { Histogram } from './histogram.ts';

const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Answers of one route to one method. */
export interface CountedRequest {
  method: string;
  route: string;
  /** How many had each status. */
  byStatus: Map<number, number>;
  seconds: Histogram;
}

/**
 * What was answered since the start, in plain numbers: a report may cost no more than an addition, and nobody but
 * /metrics ever reads them.
 */
export class RequestCounters {
  reportsAccepted = 0;
  readonly reportsRefused = new Map<ProblemCode, number>();
  /** There are as many as there are routes, for a path that nobody knows belongs to the route of all others. */
  readonly requests = new Map<string, CountedRequest>();

  refuseReport(code: ProblemCode): void {
    this.reportsRefused.set(code, (this.reportsRefused.get(code) ?? 0) + 1);
  }

  answer(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route}`;
    let tally = this.requests.get(key);
    if (!tally) {
      tally = { method, route, byStatus: new Map(), seconds: new Histogram(secondsBounds) };
      this.requests.set(key, tally);
    }
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    tally.seconds.add(seconds);
  }
}
