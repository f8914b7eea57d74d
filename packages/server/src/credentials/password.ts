import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { PasswordRow } from './password-row.ts';

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** As OWASP advises for scrypt: 32 MiB a guess. */
const cost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

/**
 * A hash that carries its parameters, so that they can be raised later: `scrypt$N$r$p$salt$hash`. `who` is whoever asks
 * for it, who shares the row with others.
 */
export async function hashPassword(password: string, who: string, at = cost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await row.wait(who, true, () => derive(password, salt, at));
  return ['scrypt', at.N, at.r, at.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** What happens when a password has its turn: before it is compared, and behind, before the next one has. */
export interface Turn {
  /** Whoever gives the password, who shares the row with others. */
  readonly who: string;
  /** What it throws refuses the password. */
  begin(): void;
  end(isRight: boolean): void;
}

/** Whether it is the password. Without a hash to compare with it takes as long, and it is not. */
export function isPassword(password: string, stored: string | null, turn: Turn): Promise<boolean> {
  const { salt, hash, ...at } = readHash(stored ?? unknownUser);
  return row.wait(turn.who, false, async () => {
    turn.begin();
    const derived = await derive(password, salt, at);
    const isRight = hash.length === derived.length && timingSafeEqual(hash, derived) && stored !== null;
    turn.end(isRight);
    return isRight;
  });
}

/** Whether a hash is easier to guess than one that is made today. */
export function isWeak(stored: string): boolean {
  const { N, r, p } = readHash(stored);
  return N * r * p < cost.N * cost.r * cost.p;
}

const unknownUser = ['scrypt', cost.N, cost.r, cost.p, 'A'.repeat(22), 'A'.repeat(43)].join('$');

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

const row = new PasswordRow();

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
