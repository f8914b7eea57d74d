/** Formats a number for the user's locale. The first grouped number takes a browser some time, so small ones skip it. */
export const formatNumber = (number: number): string => (number < 1_000 ? `${number}` : number.toLocaleString());

/** Formats a count with its noun: `1 report`, `2 reports`. */
export const countOf = (number: number, noun: string): string =>
  `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
