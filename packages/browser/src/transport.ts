import { pageState } from './page.ts';
import type { Report } from './report.ts';
import { warn } from './warn.ts';

/** What the server says to a report. */
export interface Answer {
  status: number;
  headers?: { get(name: string): string | null } | undefined;
}

/** Hands one report to the server. */
export type Post = (report: Report) => Promise<Partial<Answer> | undefined>;

/** A 429 is the page's, not ours: neither close() nor init() changes it, only a reload. */
let silentUntil = 0;
let failures = 0;
/** The way that reports take; without one nothing is sent. */
export let post: Post | undefined;
let settled: Promise<unknown> = Promise.resolve();

/** Answers after which nothing is sent any more. */
const advice: Record<number, string> = {
  401: 'Wrong apiKey: nothing is sent until reload.',
  429: 'Error quota used up: nothing is sent until reload.',
};

/** Sets the way that reports take from now on. */
export function connect(next: Post | undefined): void {
  post = next;
}

/** Whether the server wants nothing now. */
export function isSilent(): boolean {
  return pageState().stop || Date.now() < silentUntil;
}

/** Sends a report, up to three times if the server does not answer or fails. Never throws. */
export function send(report: Report): void {
  const sent = deliver(report);
  settled = settled.then(() => sent);
}

/** True when everything that was sent has its answer, false if that takes longer. */
export function settle(timeoutMs: number): Promise<boolean> {
  return Promise.race([settled.then(() => true), wait(timeoutMs, false)]);
}

function wait<Value>(ms: number, value?: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}

async function deliver(report: Report): Promise<void> {
  for (let seconds = 1; seconds < 8; seconds *= 2) {
    if (!post || isSilent()) return;

    let answer: Partial<Answer> | undefined;
    try {
      answer = await post(report);
    } catch {
      // No answer.
    }
    // A time-out, a server that is down and a browser that refuses for CORS look alike; to be offline is no failure.
    const { status = 0, headers } = answer ?? {};
    if (status ? status < 500 : navigator.onLine) {
      if (status && status < 400) failures = 0;
      else {
        const problem = advice[status];
        warn(problem ?? 'Not sent: is this origin on the allow-list?', status);
        if (status === 429) pageState().stop = true;
        else if (problem) silentUntil = Infinity;
        else if (++failures % 3 === 0) silentUntil = Math.max(silentUntil, Date.now() + 60_000);
      }
      if (status) return;
    }
    await wait(1_000 * (Number(headers?.get?.('Retry-After')) || seconds));
  }
}
