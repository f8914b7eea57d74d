/** What differs from one occurrence to the next: the page around the app draws it. */
interface Values {
  word(): string;
  id(): string;
  mail(): string;
  amount(): number;
}

const values = (globalThis as unknown as { values: Values }).values;

export const word = () => values.word();
export const id = () => values.id();
export const mail = () => values.mail();
export const amount = () => values.amount();
