import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Creates a random secret: 256 bits in URL-safe characters. */
export function createSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Returns the hash that is stored instead of a secret. It needs no salt: 256 random bits can't be enumerated. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(given)), Buffer.from(hashSecret(expected)));
}
