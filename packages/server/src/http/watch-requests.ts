import type { H3Event } from 'h3';
import type { Services } from '../services.ts';

/** Longer than that and somebody waits. */
const slowMs = 1_000;

/** Counts and logs every request that h3 routes; posted reports are counted where they are received. */
export interface RequestWatch {
  begin(event: H3Event): void;
  end(response: Response, event: H3Event): void;
}

/**
 * The log has a line for each at `debug`, and at `warn` for one that was slow or failed by the server's own fault. Paths
 * and queries stay out, for they may hold tokens: the route says enough.
 */
export function watchRequests({ log, requestCounters }: Services): RequestWatch {
  const beginnings = new WeakMap<H3Event, number>();
  return {
    begin: (event) => void beginnings.set(event, performance.now()),
    end(response, event) {
      const beganAt = beginnings.get(event);
      if (beganAt === undefined) return;
      const ms = performance.now() - beganAt;
      const { status } = response;
      const method = event.req.method.slice(0, 16);
      const route = event.context.matchedRoute?.route ?? '/**';
      requestCounters.answer(method, route, status, ms / 1_000);
      const level = status >= 500 || ms >= slowMs ? 'warn' : 'debug';
      const request_id = event.res.headers.get('x-request-id') ?? response.headers.get('x-request-id');
      log[level]({ request_id, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
    },
  };
}
