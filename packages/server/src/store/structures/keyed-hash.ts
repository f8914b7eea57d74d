import { randomBytes } from 'node:crypto';

const secret = randomBytes(8);
const key0 = secret.readInt32LE(0);
const key1 = secret.readInt32LE(4);

/**
 * Returns the HalfSipHash-1-3 (Aumasson and Bernstein) of five words, never negative. The key is random for each
 * process, so an attacker can't choose values that collide in a hash table.
 */
export function keyedHash(a: number, b: number, c: number, d: number, e: number): number {
  let v0 = key0;
  let v1 = key1;
  let v2 = 0x6c796765 ^ key0;
  let v3 = 0x74656462 ^ key1;
  for (let round = 0; round < 9; round++) {
    // Five words, then the length that ends every message, then three final rounds.
    const word =
      round === 0
        ? a
        : round === 1
          ? b
          : round === 2
            ? c
            : round === 3
              ? d
              : round === 4
                ? e
                : round === 5
                  ? 20 << 24
                  : 0;
    if (round === 6) v2 ^= 0xff;
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return (v1 ^ v3) & 0x7fffffff;
}
