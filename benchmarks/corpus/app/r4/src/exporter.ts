interface Row {
  name: string;
  balance: bigint;
}

export function exportRows(rows: Row[]): Blob {
  const lines: string[] = [];
  for (const row of rows) lines.push(JSON.stringify(row), '\n');
  return new Blob(lines, { type: 'application/x-ndjson' });
}
