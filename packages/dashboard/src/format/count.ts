/** Formats a number for the user's locale. Small numbers skip that, because a browser is slow to format the first. */
export const formatNumber = (number: number): string => (number < 1_000 ? `${number}` : number.toLocaleString());

/** Formats a count with its noun: `1 report`, `2 reports`. */
export const countOf = (number: number, noun: string): string =>
  `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
