import { randomBytes } from 'node:crypto';
import { ProblemError } from '../problem.ts';
import type { Store } from '../store/store.ts';

export const accessTokenSeconds = 15 * 60;
const algorithm = 'HS256';
const issuer = 'service';

/** Short-lived JWTs that name a session; who that is and what it may is looked up at each call. */
export interface AccessTokens {
  issue(sessionId: string): Promise<string>;
  /** The session an access token names. Throws `expired_token` or `invalid_token`. */
  read(token: string): Promise<string>;
}

/** Signs with a key made on the first start and kept in the storage, so tokens survive a restart. */
export async function createAccessTokens(store: Store): Promise<AccessTokens> {
  const key = Buffer.from(await signingKey(store), 'base64url');
  return {
    async issue(sessionId) {
      const { SignJWT } = await import('jose');
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime(`${accessTokenSeconds}s`)
        .sign(key);
    },
    async read(token) {
      const { errors, jwtVerify } = await import('jose');
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          issuer,
          requiredClaims: ['exp', 'sid'],
        });
        return String(payload.sid);
      } catch (error) {
        if (error instanceof errors.JWTExpired)
          throw new ProblemError('expired_token', 'The access token has expired. Sign in again.');
        throw invalidToken();
      }
    },
  };
}

export function invalidToken(): ProblemError {
  return new ProblemError('invalid_token', 'The access token is not valid here. Sign in again.');
}

function signingKey(store: Store): Promise<string> {
  return store.commit((draft) => {
    const known = draft.get('settings', 'signing_key');
    if (known) return known.value;
    const value = randomBytes(32).toString('base64url');
    draft.put('settings', { id: 'signing_key', value });
    return value;
  });
}
