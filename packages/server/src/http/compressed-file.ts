import type { H3Event } from 'h3';

/** A file with versions that were compressed at build time. */
export interface CompressedFile {
  plain: Uint8Array;
  br: Uint8Array | null;
  gzip: Uint8Array | null;
}

/** Returns the first version that the client accepts, smallest first, and sets the headers for it. */
export function serveCompressed(event: H3Event, file: CompressedFile): Uint8Array {
  const { headers } = event.res;
  headers.set('vary', 'Accept-Encoding');
  const accepted = event.req.headers.get('accept-encoding') ?? '';
  for (const coding of ['br', 'gzip'] as const) {
    const compressed = file[coding];
    if (compressed === null || !accepts(accepted, coding)) continue;
    headers.set('content-encoding', coding);
    return compressed;
  }
  return file.plain;
}

/** Returns whether the header names the coding with a weight above zero. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((entry) => {
    const [name, weight] = entry.split(';');
    return name?.trim().toLowerCase() === coding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight ?? '');
  });
}
