import { open } from 'node:fs/promises';

/** Makes created, renamed and removed names of a folder durable. Windows can't sync folders and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
