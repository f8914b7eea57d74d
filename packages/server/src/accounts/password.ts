import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '../problem.ts';

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** As OWASP advises for scrypt: 32 MiB a guess. */
const cost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

/** A hash that carries its parameters, so that they can be raised later: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether it is the password. Without a hash to compare with it takes as long, and it is not. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? unknownUser).split('$');
  const derived = await derive(password, Buffer.from(salt ?? '', 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  const expected = Buffer.from(hash ?? '', 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived) && stored !== null;
}

const unknownUser = ['scrypt', cost.N, cost.r, cost.p, 'A'.repeat(22), 'A'.repeat(43)].join('$');

/** One at a time: a hash takes a thread of the few that also write to the disk, and reports must not wait for sign-ins. */
let row: Promise<unknown> = Promise.resolve();
let waiting = 0;
const mostWaiting = 20;

async function derive(password: string, salt: Buffer, at: Cost): Promise<Buffer> {
  if (waiting >= mostWaiting) {
    throw new ProblemError('overloaded', 'Too many people sign in at the moment. Try again later.', {
      retryAfterSeconds: 5,
    });
  }
  waiting++;
  const hash = row.then(() => hashNow(password, salt, at));
  row = hash.catch(() => undefined);
  return hash.finally(() => waiting--);
}

function hashNow(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
