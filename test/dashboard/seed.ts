import { transform } from 'esbuild';
import type { DashboardContext } from './context.ts';

/** The data of a web shop on a busy morning. */
export interface Seeded {
  shop: { id: number; api_key: string };
  /** Ids of groups, by purpose. */
  groups: Record<'mapped' | 'unmapped' | 'message' | 'resolved', number>;
}

const source = `import { priceOf } from './price';

interface Line {
  article: string;
  pieces: number;
}

/** Returns the price of a basket in cents. */
export function totalOf(lines: Line[]): number {
  return lines.reduce((sum, line) => {
    const price = priceOf(line.article);
    return sum + price.cents * line.pieces;
  }, 0);
}

export function checkOut(basket: { lines: Line[] }): string {
  const total = totalOf(basket.lines);
  return (total / 100).toFixed(2);
}
`;

const others: [type: string | null, message: string, place: string, environment: string, times: number][] = [
  ['RangeError', 'There is no price for figs', 'priceOf (src/price.ts:14:11)', 'production', 9],
  ['TypeError', 'Failed to fetch', 'loadStock (src/stock.ts:8:20)', 'production', 23],
  ['SyntaxError', 'Unexpected token < in JSON at position 0', 'readVoucher (src/voucher.ts:21:15)', 'production', 4],
  ['ChunkLoadError', 'Loading chunk 7 failed', 'require (webpack/runtime:3:1)', 'staging', 6],
  [
    'NotAllowedError',
    'play() failed because the user did not interact with the document first',
    'intro (src/intro.ts:30:9)',
    'production',
    2,
  ],
  ['Error', 'The card was declined', 'pay (src/payment.ts:44:11)', 'production', 3],
  ['ReferenceError', 'basket is not defined', 'onload (src/legacy.ts:2:3)', 'staging', 1],
  [
    'QuotaExceededError',
    "Failed to execute 'setItem' on 'Storage': Setting the value of 'draft' exceeded the quota.",
    'saveDraft (src/draft.ts:12:16)',
    'production',
    12,
  ],
];

const browsers = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
];

export async function seed(dashboard: DashboardContext): Promise<Seeded> {
  const shop = await dashboard.createProject('Shop');
  const admin = await dashboard.createProject('Back office');
  const { code, map } = await transform(source, {
    loader: 'ts',
    minify: true,
    sourcemap: 'external',
    sourcefile: 'src/cart.ts',
  });
  await dashboard.uploadMap(shop.id, 'cart-C3nU.js', JSON.parse(map) as object, '2.4.1');
  const column = code.indexOf('.cents') + 1;
  const outer = code.indexOf('.lines)') + 1;

  const breadcrumb = (secondsBefore: number, type: string, category: string, data: object): object => ({
    timestamp: new Date(Date.now() - secondsBefore * 1_000).toISOString(),
    type,
    category,
    data,
  });
  const broken = (release: string, user: number): object => ({
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'cents')",
    stacktrace: `TypeError: Cannot read properties of undefined (reading 'cents')
    at t (https://shop.example/assets/cart-C3nU.js:1:${column})
    at Array.reduce (<anonymous>)
    at o (https://shop.example/assets/cart-C3nU.js:1:${outer})
    at HTMLButtonElement.onclick (https://cdn.example/widgets.js:2:1190)`,
    environment: user % 3 === 0 ? 'staging' : 'production',
    release,
    url: `https://shop.example/${['checkout', 'basket', 'checkout?step=2'][user % 3]}`,
    user_agent: browsers[user % browsers.length],
    user: { id: `user-${user}`, name: 'Ada Lovelace', email: 'ada@shop.example' },
    tags: {
      tenant: user % 5 === 0 ? 'Figs & Daughters, greengrocers since 1871' : 'acme',
      'feature flags': 'new-checkout',
      'a-name-that-is-as-long-as-the-server-allows-it-to-be-and-no-spac': user % 2 ? 'yes' : '',
      'request id': `0f3b-${user}`,
    },
    device: { viewport: '1280x720', language: 'en-GB', connection: '4g' },
    sdk: { name: '@service/browser', version: '0.1.0' },
    metadata: { basket: { pieces: 3, currency: 'EUR' }, experiment: 'new-checkout' },
    breadcrumbs: [
      breadcrumb(41, 'navigation', 'history', { from: '/', to: '/basket' }),
      breadcrumb(38.2, 'http', 'fetch', { method: 'GET', url: 'https://shop.example/api/basket', status: 200 }),
      breadcrumb(20, 'ui', 'click', { selector: 'button.add[data-article="figs"]' }),
      breadcrumb(12.5, 'console', 'console', { level: 'warn', arguments: ['No price for', 'figs'] }),
      breadcrumb(9.1, 'http', 'fetch', {
        method: 'GET',
        url: 'https://shop.example/api/prices?article=figs',
        status: 404,
      }),
      breadcrumb(2.4, 'navigation', 'history', { from: '/basket', to: '/checkout' }),
      breadcrumb(0.3, 'ui', 'click', { selector: 'button#pay' }),
    ],
  });

  for (const [type, message, place, environment, times] of others) {
    for (let time = 0; time < times; time++) {
      await dashboard.report(type === 'ReferenceError' ? admin.api_key : shop.api_key, {
        type,
        message,
        stacktrace: `${type}: ${message}\n    at ${place}`,
        environment,
        release: '2.4.1',
        url: 'https://shop.example/checkout',
        user_agent: browsers[time % browsers.length],
        user: { id: `user-${time}` },
      });
    }
  }
  const message = await dashboard.report(shop.api_key, {
    message: 'A customer could not find the figs',
    level: 'warning',
    environment: 'production',
  });
  for (const level of ['fatal', 'info', 'debug'])
    await dashboard.report(shop.api_key, {
      type: 'StockSync',
      message: `The stock is unknown (${level})`,
      stacktrace: `StockSync: unknown\n    at ${level}Sync (src/sync.ts:3:9)`,
      level,
    });
  const unmapped = await dashboard.report(shop.api_key, {
    type: 'TypeError',
    message: 'a is not a function',
    stacktrace:
      'TypeError: a is not a function\n    at n (https://shop.example/assets/vendor-9f2c.js:1:50231)\n    at r (https://shop.example/assets/vendor-9f2c.js:1:8121)',
    environment: 'production',
    release: '2.5.0',
    url: 'https://shop.example/',
  });
  const resolved = await dashboard.report(shop.api_key, {
    type: 'Error',
    message: 'The shop is closed',
    stacktrace: 'Error: The shop is closed\n    at open (src/legacy.ts:3:9)',
  });
  await dashboard.api('PATCH', `/errors/${resolved.error_group_id}/status`, { status: 'resolved' });
  let mapped = 0;
  for (let user = 0; user < 17; user++)
    mapped = (await dashboard.report(shop.api_key, broken(user < 4 ? '2.4.0' : '2.4.1', user))).error_group_id;
  return {
    shop,
    groups: {
      mapped,
      unmapped: unmapped.error_group_id,
      message: message.error_group_id,
      resolved: resolved.error_group_id,
    },
  };
}
