/**
 * Returns whether a browser lets a page read a response. A response without permission is a network error for the page.
 * The origin is null if no page sent the request.
 */
export function isReadableByPage({ url }: Request, response: Response, origin: string | null): boolean {
  if (origin === null || origin === new URL(url).origin) return true;
  const allowed = response.headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

/** Returns the origin of the page that sends a request, or null. msw does not see the header that browsers send. */
export function originOf({ headers }: Request): string | null {
  const page = globalThis.document && globalThis.location?.origin;
  return headers.get('origin') ?? (page && page !== 'null' ? page : null);
}
