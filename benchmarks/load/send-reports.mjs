import { drive } from './drive.mjs';

const batch = 20_000;

/**
 * Sends reports as fast as they are answered, prepared in parts, for so many don't fit into memory at once.
 *
 * @param {URL} url
 * @param {{ take(count: number): Buffer[] }} requests
 * @param {{ count: number, connections: number, tell?: (sent: number) => void }} options
 */
export async function sendReports(url, requests, { count, connections, tell }) {
  for (let sent = 0; sent < count;) {
    const some = requests.take(Math.min(batch, count - sent));
    await drive(url, some, { connections });
    sent += some.length;
    tell?.(sent);
  }
}
