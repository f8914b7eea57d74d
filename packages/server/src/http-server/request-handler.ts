import type { RequestListener } from 'node:http';
import { toNodeHandler, type H3 } from 'h3';
import { incomingFrom } from '../http/incoming.ts';
import { receiveEnvelope } from '../receive/receive-envelope.ts';
import { createReportHandler, reportPath, sendResponse } from '../receive/receive-report.ts';
import { readSentryTarget } from '../sentry-intake/sentry-target.ts';
import type { Services } from '../services.ts';

/**
 * Creates the request handler of a server: the app, and a shorter path for posted reports, also for those of Sentry's
 * SDKs.
 */
export function createRequestHandler(services: Services, app: H3): RequestListener {
  const handle = toNodeHandler(app);
  const receive = createReportHandler(services);
  return (request, response) => {
    if (request.url === reportPath && request.method === 'POST') return receive(request, response);
    const target = request.method === 'POST' ? readSentryTarget(request.url ?? '') : null;
    if (target) void sendResponse(services, response, receiveEnvelope(services, incomingFrom(request), target));
    else void handle(request, response);
  };
}
