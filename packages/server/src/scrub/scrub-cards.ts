import { removedText } from './removed-text.ts';

/** A digit of the scripts in which card numbers are written. */
const digit = String.raw`[\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]`;
/** Separators between the digits of a card number. Unusual ones also separate other numbers. */
const usual = '[ -]?';
const unusual = String.raw`(?:[ .,_/\\|+*~:·•\-\u00a0\u00ad\u2000-\u2015\u202f\u205f-\u2064\u3000\ufeff]|&nbsp;|%20|%2D){0,3}`;
const usualRun = new RegExp(`(?<!${digit})${digit}(?:${usual}${digit}){12,}(?!${digit})`, 'g');
const unusualRun = new RegExp(`(?<!${digit})${digit}(?:${unusual}${digit}){12,}(?!${digit})`, 'g');
const unusualGap = new RegExp(String.raw`(?:&nbsp;|%20|%2D|[^\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19])+`, 'g');

/** Prefixes of card issuers. */
const cardIssuer = /^(?:4|5[0-8]|6|3[4-9]|30[0-59]|220[0-4]|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|8[12]|9792)/;
/**
 * Lengths of printed groups: a single one, three or more of the same length and possibly a last one of another, or the
 * groups of shorter cards.
 */
const printed = /^(?:4 6 [45]|(\d)(?: \1){2,}(?: \d)?|\d{2})$/;

/**
 * Removes card numbers: 13 to 19 digits with a valid checksum, even next to other numbers. Digits with unusual
 * separators are dates, addresses or versions more often than cards, so they must also have the prefix and groups of a
 * card.
 */
export function scrubCards(text: string): string {
  return text.replace(usualRun, scrubUsualRun).replace(unusualRun, scrubUnusualRun);
}

function scrubUsualRun(run: string): string {
  const groups = run.split(/[ -]/);
  const isCard = groups.map(() => false);
  for (const first of groups.keys()) {
    const card = new Digits();
    for (let last = first; last < groups.length && card.count <= maxCardDigits; last++)
      if (card.add(groups[last] ?? '').isValid) isCard.fill(true, first, last + 1);
  }
  if (!isCard.includes(true)) return run;
  return groups
    .map((group, index) => (isCard[index] ? removedText : group))
    .filter((_, index) => !isCard[index] || !isCard[index - 1])
    .join(' ');
}

function scrubUnusualRun(run: string): string {
  const groups = run.split(unusualGap);
  const gaps = run.match(unusualGap) ?? [];
  let clean = '';
  for (let first = 0; first < groups.length; first++) {
    const last = lastOfCard(groups, first);
    clean += (last < 0 ? groups[first] : removedText) + (gaps[Math.max(first, last)] ?? '');
    if (last >= 0) first = last;
  }
  return clean;
}

/** Returns the last group of the card that begins with this group, or -1. */
function lastOfCard(groups: readonly string[], first: number): number {
  const card = new Digits();
  for (let last = first; last < groups.length && card.count <= maxCardDigits; last++)
    if (card.add(groups[last] ?? '').isValid && looksPrinted(groups.slice(first, last + 1))) return last;
  return -1;
}

function looksPrinted(groups: readonly string[]): boolean {
  const digits = Array.from(groups.join(''), valueOf).join('');
  return cardIssuer.test(digits) && printed.test(groups.map(({ length }) => length).join(' '));
}

const minCardDigits = 13;
const maxCardDigits = 19;

/** Sums up the digits of a card by Luhn: every second digit from the right is doubled, and its own digits are added. */
class Digits {
  count = 0;
  #sum = 0;
  /** The sum if one more digit followed, which changes the digits that are doubled. */
  #nextSum = 0;

  add(group: string): this {
    for (const char of group.length > maxCardDigits ? '' : group) {
      const value = valueOf(char);
      const doubled = value > 4 ? value * 2 - 9 : value * 2;
      [this.#sum, this.#nextSum] = [this.#nextSum + value, this.#sum + doubled];
    }
    this.count += group.length;
    return this;
  }

  get isValid(): boolean {
    return this.count >= minCardDigits && this.count <= maxCardDigits && this.#sum % 10 === 0;
  }
}

/** Returns the value of a digit. In every script the digits start at a multiple of 16. */
function valueOf(char: string): number {
  return char.charCodeAt(0) & 0xf;
}
