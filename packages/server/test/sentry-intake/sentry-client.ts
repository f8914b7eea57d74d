import { dsnKey } from '../../src/projects/dsn.ts';
import type { TestService } from '../test-utils/describe-service.ts';

export type Fields = Record<string, unknown>;

/** An event as an SDK in a browser sends it. */
export function event(fields: Fields = {}): Fields {
  return {
    platform: 'javascript',
    timestamp: 1_763_900_000.123,
    environment: 'production',
    release: 'shop@1.2.3',
    sdk: { name: 'sentry.javascript.browser', version: '11.0.0', packages: [{ name: 'npm:@sentry/browser' }] },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'cart is empty',
          mechanism: { type: 'generic', handled: true },
          stacktrace: {
            frames: [
              { filename: 'https://shop.example/cart.js', function: 'pay', lineno: 20, colno: 3, in_app: true },
              { filename: 'https://shop.example/cart.js', function: 'total', lineno: 10, colno: 5, in_app: true },
            ],
          },
        },
      ],
    },
    request: { url: 'https://shop.example/cart', headers: { 'User-Agent': 'Mozilla/5.0', Cookie: 'sid=1' } },
    user: { id: 7, email: 'ada@shop.example', ip_address: '{{auto}}' },
    tags: { area: 'cart' },
    breadcrumbs: [{ timestamp: 1_763_899_999, category: 'ui.click', message: 'button#pay' }],
    ...fields,
  };
}

/** Writes an envelope as SDKs do: events come without a length. */
export function envelopeOf(
  events: readonly Fields[],
  header: Fields = {},
  items: readonly (readonly unknown[])[] = [],
): string {
  const all = [...events.map((each) => [{ type: 'event' }, each] as const), ...items];
  const lines = all.flatMap(([itemHeader, payload]) => [
    JSON.stringify(itemHeader),
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  ]);
  return [JSON.stringify(header), ...lines].join('\n');
}

interface PostOptions {
  /** Default: the key of the project. */
  query?: string;
  headers?: Record<string, string>;
  path?: 'envelope' | 'store';
  projectId?: number;
}

/** Posts a body as SDKs in browsers do. */
export async function postEnvelope(
  { call, project }: TestService,
  body: string | Uint8Array,
  { query, headers = {}, path = 'envelope', projectId = project.id }: PostOptions = {},
): Promise<{ status: number; headers: Headers; json: unknown }> {
  const key = dsnKey(project.api_key);
  const response = await call('POST', `/api/${projectId}/${path}/${query ?? `?sentry_version=7&sentry_key=${key}`}`, {
    token: null,
    body,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
  });
  return { status: response.status, headers: response.headers, json: JSON.parse(response.text) };
}
