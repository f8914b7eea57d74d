import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder that is gone when the program ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
