import type { TestResponse, TestService } from '../test-utils/describe-service.ts';

export const owner = { email: 'admin@localhost', password: 'correct horse battery' };

/** Returns the token of a sign-in link, which signs in without a password. */
export async function linkToken(link: Promise<string>): Promise<string> {
  return (await link).split('#sign-in=')[1] ?? '';
}

/** A cookie that a response sets. */
export interface SetCookie {
  /** The value of the `Cookie` header of later requests. */
  cookie: string;
  /** In lower case, without `max-age`. */
  attributes: string[];
  maxAgeSeconds: number;
}

/** Returns the cookie that the response sets, or null. */
export function cookieOf({ headers }: Pick<TestResponse, 'headers'>): SetCookie | null {
  const [set, ...more] = headers.getSetCookie();
  if (set === undefined) return null;
  if (more.length > 0) throw new Error('The response sets more than one cookie.');
  const [cookie = '', ...attributes] = set.split(/; */);
  const maxAge = attributes.find((attribute) => /^max-age=/i.test(attribute));
  return {
    cookie,
    attributes: attributes
      .filter((attribute) => attribute !== maxAge)
      .map((attribute) => attribute.toLowerCase())
      .toSorted(),
    maxAgeSeconds: Number(maxAge?.slice('max-age='.length)),
  };
}

/** Signs a browser in, by default with the owner's password. Resolves with its `Cookie` header. */
export async function signInBrowser(call: TestService['call'], body: object = owner): Promise<string> {
  const response = await call('POST', 'auth/session', { token: null, body });
  const cookie = cookieOf(response);
  if (!cookie) throw new Error(`The response sets no cookie: ${response.status} ${response.text}`);
  return cookie.cookie;
}
