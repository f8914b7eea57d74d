import type { Answer, TestService } from '../test-utils/service.ts';

export const owner = { email: 'admin@localhost', password: 'correct horse battery' };

/** The token of a sign-in link: it signs in without a password, which takes a while to compare. */
export async function linkToken(link: Promise<string>): Promise<string> {
  return (await link).split('#sign-in=')[1] ?? '';
}

/** A cookie as a browser takes it from an answer, or null if the answer sets none. */
export interface GivenCookie {
  /** As the header `Cookie` of later requests. */
  cookie: string;
  /** In lower case, `max-age` aside. */
  attributes: string[];
  maxAgeSeconds: number;
}

export function cookieOf({ headers }: Pick<Answer, 'headers'>): GivenCookie | null {
  const [set, ...more] = headers.getSetCookie();
  if (set === undefined) return null;
  if (more.length > 0) throw new Error('More than one cookie is set.');
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

/** Signs a browser in, by default with the owner's password; resolves with its header `Cookie`. */
export async function signInBrowser(call: TestService['call'], body: object = owner): Promise<string> {
  const answer = await call('POST', 'auth/session', { token: null, body });
  const given = cookieOf(answer);
  if (!given) throw new Error(`No cookie was set: ${answer.status} ${answer.text}`);
  return given.cookie;
}
