import type { Storage as UnstorageStorage } from 'unstorage';

/**
 * Resolves with the bytes of an item, or with null if it does not exist. Reads raw values only, because `getItem`
 * parses values that look like JSON or a number. For drivers without raw values, unstorage stores base64 and decodes
 * it.
 */
export async function getRawItem(storage: UnstorageStorage, key: string): Promise<Buffer | null> {
  const value = await storage.getItemRaw<unknown>(key);
  // The fs drivers return the error of a failed read. Treated as a torn item, the item would be removed.
  if (value instanceof Error) throw value;
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  // A text is not what was written, so the item counts as torn.
  return typeof value === 'string' ? Buffer.alloc(0) : null;
}
