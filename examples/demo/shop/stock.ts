/**
 * Requests a warehouse that is unreachable: browsers refuse to connect to port 9, so the request fails immediately,
 * with or without a network.
 */
export async function loadStock(): Promise<unknown> {
  const answer = await fetch('http://127.0.0.1:9/stock?article=figs');
  return answer.json();
}
