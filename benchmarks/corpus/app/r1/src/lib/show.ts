const lines: string[] = [];

/** Writes a line for the traveller. */
export function show(text: unknown): void {
  lines.push(String(text));
  document.title = `Ferry (${lines.length})`;
}
