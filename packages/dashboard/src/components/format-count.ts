/** A number as people write it. A browser takes its time for the first that it groups, so small ones, which need none, go without. */
export const sayNumber = (number: number): string => (number < 1_000 ? `${number}` : number.toLocaleString());
