import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Compresses a text for a record. Receipts are long and seldom read. */
export async function packText(text: string): Promise<string> {
  return (await zip(text)).toString('base64');
}

/** Decompresses a text of `packText`. */
export async function unpackText(packed: string): Promise<string> {
  return (await unzip(Buffer.from(packed, 'base64'))).toString();
}
