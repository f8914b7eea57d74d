import type { Storage as UnstorageStorage } from 'unstorage';

/**
 * The bytes of an item, or null where there is none. Always raw: `getItem` revives what looks like JSON or like a
 * number, and drivers without raw values are given base64 by unstorage, which comes back as bytes here.
 */
export async function getRawItem(storage: UnstorageStorage, key: string): Promise<Buffer | null> {
  const value = await storage.getItemRaw<unknown>(key);
  // The fs drivers answer with the error of a read that failed. Taken for a torn item, it would be removed.
  if (value instanceof Error) throw value;
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  // Text where bytes were written: not what was stored.
  return typeof value === 'string' ? Buffer.alloc(0) : null;
}
