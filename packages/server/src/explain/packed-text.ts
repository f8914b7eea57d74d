import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A text in a fourth of its room, for a record: receipts are long and seldom read. */
export async function packText(text: string): Promise<string> {
  return (await zip(text)).toString('base64');
}

export async function unpackText(packed: string): Promise<string> {
  return (await unzip(Buffer.from(packed, 'base64'))).toString();
}
