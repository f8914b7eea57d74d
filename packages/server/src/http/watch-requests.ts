import type { H3Event } from 'h3';
import type { Services } from '../services.ts';

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request that takes longer is logged at `warn`. */
const slowMs = 1_000;

/** Counts and logs every request that h3 routes. Reports are counted by their own handler. */
export interface RequestWatcher {
  start(event: H3Event): void;
  end(response: Response, event: H3Event): void;
}

/**
 * Logs slow requests, and those with a status of 500 or more, at `warn`, and all others at `debug`. Paths and queries
 * are omitted, because they may contain tokens; the route identifies the request.
 */
export function watchRequests({ log, requestCounters }: Services): RequestWatcher {
  const startTimes = new WeakMap<H3Event, number>();
  return {
    start: (event) => void startTimes.set(event, performance.now()),
    end(response, event) {
      const startedAt = startTimes.get(event);
      if (startedAt === undefined) return;
      const ms = performance.now() - startedAt;
      const { status } = response;
      // A client can invent methods, and each would become another time series.
      const method = knownMethods.has(event.req.method) ? event.req.method : 'other';
      const route = event.context.matchedRoute?.route ?? '/**';
      requestCounters.countRequest(method, route, status, ms / 1_000);
      const level = status >= 500 || ms >= slowMs ? 'warn' : 'debug';
      const request_id = event.res.headers.get('x-request-id') ?? response.headers.get('x-request-id');
      log[level]({ request_id, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
    },
  };
}
