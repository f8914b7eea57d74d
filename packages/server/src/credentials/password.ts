import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { PasswordQueue } from './password-queue.ts';

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** OWASP's recommendation for scrypt: 32 MiB per guess. Only tests change it, because they start many servers. */
export const passwordCost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

/**
 * Resolves with a hash that contains its parameters, so that they can be raised later: `scrypt$N$r$p$salt$hash`.
 * `client` takes turns with other clients: see `PasswordQueue`.
 */
export async function hashPassword(password: string, client: string, cost = passwordCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await queue.run(client, true, () => derive(password, salt, cost));
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Hooks around the comparison of a password. They run in the queue, so no other attempt comes between them. */
export interface PasswordAttempt {
  /** The client that takes turns with other clients: see `PasswordQueue`. */
  readonly client: string;
  /** Throws to reject the attempt without comparing. */
  begin(): void;
  end(isCorrect: boolean): void;
}

/**
 * Resolves with whether the password matches. Takes the same time without a stored hash, so that response times don't
 * reveal which users exist.
 */
export function verifyPassword(password: string, stored: string | null, attempt: PasswordAttempt): Promise<boolean> {
  const { salt, hash, ...cost } = readHash(stored ?? hashOfNoUser());
  return queue.run(attempt.client, false, async () => {
    attempt.begin();
    const derived = await derive(password, salt, cost);
    const isCorrect = hash.length === derived.length && timingSafeEqual(hash, derived) && stored !== null;
    attempt.end(isCorrect);
    return isCorrect;
  });
}

/** Returns whether a hash was created with weaker parameters than the current ones. */
export function needsRehash(stored: string): boolean {
  const { N, r, p } = readHash(stored);
  return N * r * p < passwordCost.N * passwordCost.r * passwordCost.p;
}

/** Returns a hash that matches no password. */
function hashOfNoUser(): string {
  const { N, r, p } = passwordCost;
  return ['scrypt', N, r, p, 'A'.repeat(22), 'A'.repeat(43)].join('$');
}

function readHash(stored: string): Cost & { salt: Buffer; hash: Buffer } {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  return {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

const queue = new PasswordQueue();

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
