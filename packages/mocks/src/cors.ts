/**
 * Returns whether a browser lets a page read a response. A response without permission is a network error for the page.
 * A request without an `Origin` header is no request of a page to another origin.
 */
export function isReadable(request: Request, response: Response): boolean {
  const origin = request.headers.get('origin');
  if (origin === null || origin === new URL(request.url).origin) return true;
  const allowed = response.headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

/** Returns the origin of the page under test, or null without a page. happy-dom and jsdom do not send it, as browsers do. */
export function pageOrigin(): string | null {
  const origin = globalThis.document && globalThis.location?.origin;
  return origin && origin !== 'null' ? origin : null;
}
