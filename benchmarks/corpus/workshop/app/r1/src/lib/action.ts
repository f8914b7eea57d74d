/** A button: its name, and what it does. */
export type Action = [name: string, run: () => unknown];
