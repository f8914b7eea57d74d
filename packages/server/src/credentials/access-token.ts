import { randomUUID } from 'node:crypto';
import { ProblemError } from '../problem.ts';
import { accessTokenSeconds } from './lifetimes.ts';
import type { Store } from '../store/store.ts';
import { ensureSigningKey, signingKey } from './signing-key.ts';

const algorithm = 'HS256';
const typ = 'JWT';
const tokenIssuer = 'service';
/** A clock that is set back a little must not sign users out. */
const clockToleranceSeconds = 60;

/** Short-lived JWTs that name a session. Its user and role are looked up on every request. */
export interface AccessTokens {
  issue(sessionId: string): Promise<string>;
  /** Verifies an access token. Rejects with `expired_token` or `invalid_token`. */
  read(token: string): Promise<AccessTokenClaims>;
}

interface AccessTokenClaims {
  sessionId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The signing key that the token was verified with. */
  signingKey: Buffer;
}

export async function createAccessTokens(store: Store, now: () => number): Promise<AccessTokens> {
  await ensureSigningKey(store);
  return {
    async issue(sessionId) {
      const { SignJWT } = await import('jose');
      const issuedAt = Math.floor(now() / 1_000);
      // All other claims are equal in the tokens that a session gets within a second.
      const id = randomUUID();
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm, typ })
        .setIssuer(tokenIssuer)
        .setJti(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(signingKey(store.model));
    },
    async read(token) {
      const { errors, jwtVerify } = await import('jose');
      const key = signingKey(store.model);
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          typ,
          issuer: tokenIssuer,
          requiredClaims: ['exp', 'iat', 'sid'],
          // Rejects a token that was issued longer than `accessTokenSeconds` ago, or in the future.
          maxTokenAge: accessTokenSeconds,
          clockTolerance: clockToleranceSeconds,
          currentDate: new Date(now()),
        });
        if (typeof payload.sid !== 'string') throw invalidToken();
        const expiresAt = (payload.exp ?? 0) * 1_000;
        if (expiresAt <= now()) throw expiredToken();
        return { sessionId: payload.sid, expiresAt, signingKey: key };
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw expiredToken();
        // Problems thrown above pass through. Any other error that jose did not throw is a defect of this server.
        throw error instanceof errors.JOSEError ? invalidToken() : error;
      }
    },
  };
}

export function invalidToken(): ProblemError {
  return new ProblemError('invalid_token', 'The access token is invalid. Sign in again.');
}

function expiredToken(): ProblemError {
  return new ProblemError('expired_token', 'The access token has expired. Sign in again.');
}
