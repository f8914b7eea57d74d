import type { RequestListener } from 'node:http';
import { toNodeHandler, type H3 } from 'h3';
import { reportListener, reportPath } from '../routes/receive-report.ts';
import type { Services } from '../services.ts';

/** What answers the requests of a server: the app, but for posted reports, which take a shorter way. */
export function createListener(services: Services, app: H3): RequestListener {
  const handle = toNodeHandler(app);
  const receive = reportListener(services);
  return (request, response) => {
    if (request.url === reportPath && request.method === 'POST') receive(request, response);
    else void handle(request, response);
  };
}
