import { randomInt } from 'node:crypto';

/**
 * Returns a password that is easy to read aloud and to type: four groups of four, without characters that look alike.
 */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
