import type { Confirmation } from '@service/protocol';
import * as z from 'zod';
import { ProblemError } from '../problem.ts';
import { confirmationMs } from './lifetimes.ts';
import type { Model } from '../store/model/model.ts';
import { signingKey } from './signing-key.ts';

const confirmationAlgorithm = 'HS256';
/** Differs from the type of access tokens, so that neither is accepted for the other. */
const confirmationType = 'confirm';

/** The content of a mailed link, whose reader confirms that an address is theirs. */
const Claims = z.object({
  kind: z.enum(['account', 'recipient']),
  team_id: z.int(),
  email: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
});
export type ConfirmationClaims = z.infer<typeof Claims> & Pick<Confirmation, 'kind'>;

/**
 * Resolves with a signed token for the link in a mail. The token contains what it confirms, so nothing has to be stored
 * for a mail that is never answered.
 */
export async function issueConfirmationToken(
  model: Model,
  claims: Omit<ConfirmationClaims, 'until'>,
  now: number,
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ ...claims, until: now + confirmationMs })
    .setProtectedHeader({ alg: confirmationAlgorithm, typ: confirmationType })
    .sign(signingKey(model));
}

/**
 * Verifies the signature of a token and returns its claims. Accepts an expired token: the caller checks `until`.
 * Rejects with `invalid_token` if the signature or the claims are invalid.
 */
export async function readConfirmationToken(model: Model, token: string): Promise<ConfirmationClaims> {
  const { errors, jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, signingKey(model), {
      algorithms: [confirmationAlgorithm],
      typ: confirmationType,
    });
    return Claims.parse(payload);
  } catch (error) {
    throw error instanceof errors.JOSEError || error instanceof z.ZodError ? invalidConfirmation() : error;
  }
}

export function invalidConfirmation(): ProblemError {
  return new ProblemError('invalid_token', 'The link is invalid or has expired. Ask for a new one.');
}
