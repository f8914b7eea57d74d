import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder that is removed at the end of the program. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'service-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
