import type { H3 } from 'h3';
import { incomingOf } from '../http/incoming.ts';
import { noSuchPath } from '../http/no-such-path.ts';
import { setHeaders } from '../http/response-headers.ts';
import { ProblemError } from '../problem.ts';
import { findSentryProject } from '../sentry-intake/find-sentry-project.ts';
import { readSentKey } from '../sentry-intake/sentry-key.ts';
import { droppedByEndpoint } from '../sentry-intake/dropped-item-types.ts';
import { readSentryTarget } from '../sentry-intake/sentry-target.ts';
import type { Services } from '../services.ts';
import { receiveEnvelope, sentryCorsHeaders } from '../receive/receive-envelope.ts';

/** The endpoints of Sentry's SDKs. They are no part of the API: Sentry defines them. */
export function sentryIntakeRoutes(app: H3, services: Services): void {
  for (const kind of ['envelope', 'store']) {
    const path = `/api/:project/${kind}`;
    // Requests over a socket take a shorter path: see `createRequestHandler`.
    app.post(path, async (event) => {
      const target = readSentryTarget(event.url.pathname + event.url.search);
      if (!target) return noSuchPath();
      const { status, headers, body } = await receiveEnvelope(services, incomingOf(event), target);
      return new Response(body, { status, headers });
    });

    app.options(path, (event) => {
      const { headers } = event.res;
      headers.set('vary', 'Origin');
      setHeaders(event, sentryCorsHeaders(services, event.req.headers.get('origin')));
      headers.set('access-control-allow-methods', 'POST');
      headers.set('access-control-allow-headers', requestHeaders);
      headers.set('access-control-max-age', '86400');
      event.res.status = 204;
      return null;
    });
  }

  for (const [endpoint, type] of Object.entries(droppedByEndpoint))
    app.post(`/api/:project/${endpoint}`, (event) => {
      const { searchParams } = event.url;
      const headers = [event.req.headers.get('x-sentry-auth')];
      const key = readSentKey({ query: searchParams.get('sentry_key'), headers }) ?? '';
      const project = findSentryProject(services.store.model, Number(event.context.params?.project), key);
      services.droppedItems.countSent(project.id, type);
      throw new ProblemError('not_found', 'Only errors of SDKs are stored. This was counted and dropped.');
    });
}

/** The request headers of Sentry's SDKs, including those for tracing. */
const requestHeaders =
  'content-type, content-encoding, x-sentry-auth, authorization, sentry-trace, baggage, x-requested-with';
