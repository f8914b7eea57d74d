import type { H3Event } from 'h3';

/** A file that was packed when it was built. */
export interface PackedFile {
  plain: Uint8Array;
  br: Uint8Array | null;
  gzip: Uint8Array | null;
}

/** The smallest form of the file that whoever asks can read. */
export function servePacked(event: H3Event, file: PackedFile): Uint8Array {
  const { headers } = event.res;
  headers.set('vary', 'Accept-Encoding');
  const accepted = event.req.headers.get('accept-encoding') ?? '';
  for (const coding of ['br', 'gzip'] as const) {
    const packed = file[coding];
    if (packed === null || !accepts(accepted, coding)) continue;
    headers.set('content-encoding', coding);
    return packed;
  }
  return file.plain;
}

/** A coding that is named, and not with a weight of nought. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((entry) => {
    const [name, weight] = entry.split(';');
    return name?.trim().toLowerCase() === coding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight ?? '');
  });
}
