import type { Report } from './report.ts';
import { warn } from './warn.ts';

/** What the server says to a report. */
export interface Answer {
  status: number;
  headers?: { get(name: string): string | null } | undefined;
}

/** Hands one report to the server. */
export type Post = (report: Report) => Promise<Partial<Answer> | undefined>;

/** What the server said to one report holds for all: neither close() nor init() changes that, only a reload. */
let isStopped = false;
let silentUntil = 0;
let failures = 0;
let kept = 0;
let settled: Promise<unknown> = Promise.resolve();

/** Answers after which nothing is sent any more. */
const advice: Record<number, string> = {
  401: 'Wrong apiKey: nothing is sent.',
  429: 'The quota is used up: nothing is sent until reload.',
};

/** Nothing is sent before this moment, in milliseconds. */
export function silence(until: number): void {
  silentUntil = until;
}

/** Sends a report, again if need be, or keeps it until the page is online. Never throws. */
export function send(report: Report, post: Post): void {
  const sent = deliver(report, post);
  settled = settled.then(() => sent);
}

/** True when everything that was sent has its answer, false if that takes longer. */
export function settle(timeoutMs: number): Promise<boolean> {
  return Promise.race([settled.then(() => true), wait(timeoutMs, false)]);
}

function wait<Value>(ms: number, value?: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}

async function deliver(report: Report, post: Post): Promise<void> {
  for (let seconds = 1; seconds < 8; seconds *= 2) {
    if (!navigator.onLine) {
      if (kept > 19) return;
      kept++;
      await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
      kept--;
    }
    if (isStopped || Date.now() < silentUntil) return;

    // A time-out, a server that is down and a browser that refuses for CORS look alike; to be offline is no failure.
    const { status = 0, headers } = (await post(report).catch(() => undefined)) ?? {};
    if (status ? status < 500 : navigator.onLine) {
      failures = status && status < 400 ? 0 : failures + 1;
      if (failures) warn(advice[status] ?? 'Not sent: is this origin on the allow-list?', status);
      if (failures > 2) {
        failures = 0;
        silentUntil = Date.now() + 60_000;
      }
      if (advice[status]) isStopped = true;
      if (status) return;
    }
    await wait(1_000 * (Number(headers?.get('Retry-After')) || seconds));
  }
}
