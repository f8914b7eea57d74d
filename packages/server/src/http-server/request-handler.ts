import type { RequestListener } from 'node:http';
import { toNodeHandler, type H3 } from 'h3';
import { createReportHandler, reportPath } from '../routes/receive-report.ts';
import type { Services } from '../services.ts';

/** Creates the request handler of a server: the app, and a shorter path for posted reports. */
export function createRequestHandler(services: Services, app: H3): RequestListener {
  const handle = toNodeHandler(app);
  const receive = createReportHandler(services);
  return (request, response) => {
    if (request.url === reportPath && request.method === 'POST') receive(request, response);
    else void handle(request, response);
  };
}
