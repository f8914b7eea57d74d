const lines: string[] = [];

/** Writes a line for the mechanic. */
export function show(text: unknown): void {
  lines.push(String(text));
  document.title = `Workshop (${lines.length})`;
}
