import type { RequestListener } from 'node:http';
import { toNodeHandler, type H3 } from 'h3';

/** What answers the requests of a server. */
export function createListener(app: H3): RequestListener {
  const handle = toNodeHandler(app);
  return (request, response) => void handle(request, response);
}
