import { stripVTControlCharacters } from 'node:util';

/** Returns text from a server or a file as one line that can't control the terminal. Its author may be an attacker. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
}
