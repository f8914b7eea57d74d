import { drive } from './drive.mjs';

const batch = 20_000;

/**
 * Sends reports as fast as the server responds. Prepares them in parts, because all of them may not fit into memory.
 *
 * @param {URL} url
 * @param {{ take(count: number): Buffer[] }} requests
 * @param {{ count: number, connections: number, onProgress?: (sent: number) => void }} options
 */
export async function sendReports(url, requests, { count, connections, onProgress }) {
  for (let sent = 0; sent < count;) {
    const some = requests.take(Math.min(batch, count - sent));
    await drive(url, some, { connections });
    sent += some.length;
    onProgress?.(sent);
  }
}
