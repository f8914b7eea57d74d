interface Row {
  name: string;
  balance: bigint;
}

export function exportRows(rows: Row[]): Blob {
  const lines = rows.map((row) => JSON.stringify(row));
  return new Blob(lines, { type: 'application/x-ndjson' });
}
