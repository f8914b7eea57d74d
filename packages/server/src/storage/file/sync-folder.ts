import { open } from 'node:fs/promises';

/** Makes new, renamed and removed names of a folder durable. Windows can't, and does it by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
