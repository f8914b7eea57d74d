import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive. `claimedSize` replaces its true size in the headers. */
export interface ZipEntry {
  name: string;
  content: string | Uint8Array;
  claimedSize?: number;
}

/** Writes an artifact bundle as sentry-cli does: eight bytes, then a zip archive whose offsets count from the start. */
export function bundleFile(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('SYSB\x02\0\0\0', 'latin1')];
  const directory: Buffer[] = [];
  let offset = 8;
  for (const { name, content, claimedSize } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fileName = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimedSize ?? bytes.length, 18);
    facts.writeUInt16LE(fileName.length, 22);
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), facts, fileName]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, fileName]));
    pieces.push(header, packed);
    offset += header.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}
