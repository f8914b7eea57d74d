/**
 * Returns the bytes of an HTTP request with only the required headers. Each further header costs every server the same,
 * and would hide the differences.
 *
 * @param {string} method
 * @param {URL} url
 * @param {{ body?: string, headers?: Record<string, string> }} [content]
 */
export function request(method, url, { body, headers = {} } = {}) {
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
