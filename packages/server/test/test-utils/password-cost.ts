import { afterAll, beforeAll } from 'vitest';
import { passwordCost } from '../../src/credentials/password.ts';

const real = 2 ** 15;
const cheap = 2 ** 4;

// This module also runs before each test file. At the real cost, the first start of each server would take a quarter of
// a second longer, because it hashes a password.
passwordCost.N = cheap;

/** Hashes passwords at the cost of real servers in this block, for tests of what happens during that time. */
export function useRealPasswordCost(): void {
  beforeAll(() => void (passwordCost.N = real));
  afterAll(() => void (passwordCost.N = cheap));
}
