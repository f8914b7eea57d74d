import type { Problem } from '@service/protocol';

/** The server has responded with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** A code of the contract, or null if the response is not from the service. */
  readonly code: string | null;

  constructor(status: number, code: string | null, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The server can't be reached, or something else responds at its address. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export interface ApiClientOptions {
  /** The URL of the server: `https://errors.example.com`. */
  endpoint: string;
  token: string;
  /** The name and version of the program, for the log of the server. */
  userAgent: string;
  /** The pauses between attempts, in milliseconds. */
  retryDelaysMs: readonly number[];
  /** Called before the first retry of a client, with the reason, so that a user sees why the command waits. */
  onFirstRetry?: ((reason: string) => void) | undefined;
}

export interface ApiRequest {
  query?: Record<string, string | number | readonly string[] | undefined>;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
const maxRetryAfterMs = 60_000;
/** Statuses after which the same request can succeed. */
const transientStatuses = new Set([408, 429, 502, 503, 504]);

/** Calls the API of a server as one user. */
export class ApiClient {
  readonly endpoint: string;
  readonly #headers: Record<string, string>;
  readonly #delaysMs: readonly number[];
  #onFirstRetry: ((reason: string) => void) | undefined;

  constructor({ endpoint, token, userAgent, retryDelaysMs, onFirstRetry }: ApiClientOptions) {
    this.endpoint = endpoint.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
    this.#headers = { Authorization: `Bearer ${token}`, 'User-Agent': userAgent };
    this.#delaysMs = retryDelaysMs;
    this.#onFirstRetry = onFirstRetry;
  }

  /**
   * Sends a request and resolves with the JSON body of the response, or with undefined for a 204. While the server is
   * busy or unreachable, retries once for each of the pauses. Rejects with an ApiError or an UnreachableError; neither
   * contains the token.
   */
  async call<Result>(method: string, path: string, request: ApiRequest = {}): Promise<Result> {
    for (const delayMs of this.#delaysMs)
      try {
        return await this.#attempt<Result>(method, path, request);
      } catch (error) {
        const waitMs = retryDelay(error, delayMs);
        if (waitMs === null) throw error;
        this.#onFirstRetry?.((error as Error).message);
        this.#onFirstRetry = undefined;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    return this.#attempt<Result>(method, path, request);
  }

  /** Opens a response whose body is read as it arrives. Does not retry. */
  async open(
    path: string,
    { query, signal }: Pick<ApiRequest, 'query'> & { signal?: AbortSignal } = {},
  ): Promise<Response> {
    const response = await this.#fetch(this.url(path, query), { headers: this.#headers, signal: signal ?? null });
    if (!response.ok) throw await readProblem(response);
    return response;
  }

  url(path: string, query: ApiRequest['query'] = {}): URL {
    const url = new URL(`${this.endpoint}/api/v1${path}`);
    for (const [name, value] of Object.entries(query))
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) url.searchParams.append(name, String(one));
    return url;
  }

  async #attempt<Result>(method: string, path: string, { query, body, timeoutMs }: ApiRequest): Promise<Result> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await this.#fetch(this.url(path, query), {
      method,
      headers: { ...this.#headers, ...(isJson && { 'Content-Type': 'application/json' }) },
      body: isJson ? JSON.stringify(body) : ((body as FormData | undefined) ?? null),
      signal: AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs),
    });
    if (!response.ok) throw await readProblem(response);
    if (response.status === 204) return undefined as Result;
    const text = await this.#reached(response.text());
    try {
      return JSON.parse(text) as Result;
    } catch (error) {
      throw new UnreachableError(`${this.endpoint} responds, but not as an error-tracking server.`, { cause: error });
    }
  }

  #fetch(url: URL, init: RequestInit): Promise<Response> {
    return this.#reached(fetch(url, init));
  }

  async #reached<Value>(pending: Promise<Value>): Promise<Value> {
    try {
      return await pending;
    } catch (error) {
      throw new UnreachableError(`${this.endpoint} cannot be reached (${causeOf(error)}).`, { cause: error });
    }
  }
}

/** Returns the milliseconds to wait before the next attempt, or null if it would fail too. */
function retryDelay(error: unknown, delayMs: number): number | null {
  if (error instanceof UnreachableError) return delayMs;
  if (!(error instanceof RetryableError)) return null;
  return Math.min(maxRetryAfterMs, Math.max(delayMs, error.retryAfterMs));
}

/** An error response after which the same request can succeed. */
class RetryableError extends ApiError {
  retryAfterMs = 0;
}

async function readProblem(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const { code = null, detail = null } = parseProblem(text);
  const message = detail ?? textOf(response);
  if (!transientStatuses.has(status)) return new ApiError(status, code, message);
  const error = new RetryableError(status, code, message);
  error.retryAfterMs = (Number(headers.get('Retry-After')) || 0) * 1_000;
  return error;
}

/** Returns the text for a response without a detail, which every error of the service has. */
function textOf({ status, statusText, url }: Response): string {
  const text =
    `${URL.canParse(url) ? new URL(url).origin : 'The server'} responded with ${status} ${statusText}`.trim();
  // A proxy in front of the server responds with other statuses.
  return status === 404 || status === 405
    ? `${text}, not as an error-tracking server. Correct the endpoint: it is the URL of the dashboard.`
    : `${text}.`;
}

function parseProblem(text: string): { code?: string | null; detail?: string | null } {
  try {
    const { code, detail } = JSON.parse(text) as Partial<Problem>;
    return { code: typeof code === 'string' ? code : null, detail: typeof detail === 'string' ? detail : null };
  } catch {
    // The page of a proxy, which is no JSON. The message then has the status.
    return {};
  }
}

/** Returns the cause of a failed request: `ECONNREFUSED`. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return 'no response in time';
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}
