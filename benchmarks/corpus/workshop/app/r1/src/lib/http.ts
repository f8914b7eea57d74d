import { HttpError } from './errors.ts';

export async function put(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(path, { method: 'PUT', body: JSON.stringify(body) });
  if (!response.ok) throw new HttpError('PUT', path, response.status);
  return response.json();
}
