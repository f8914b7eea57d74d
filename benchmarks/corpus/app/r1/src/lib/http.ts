export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;

  constructor(method: string, path: string, status: number) {
    super(`${method} ${path} answered ${status}`);
    this.status = status;
  }
}

export async function getJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new HttpError('GET', path, response.status);
  return (await response.json()) as T;
}
