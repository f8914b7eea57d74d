/** The comment at the end of a script that names its map. */
interface MapReference {
  /** The URL in the comment. */
  url: string;
  /** The range of the comment in the script. */
  start: number;
  end: number;
}

/** A map within the comment itself. */
export const dataUrl = /^data:application\/json[^,]*,/;

const comment = /^\/\/[#@][ \t]*sourceMappingURL=(\S+)[ \t]*$/;

/** Returns the last `//# sourceMappingURL=` of a script, or null. Only comments on their own lines may follow it. */
export function findMapReference(code: string): MapReference | null {
  let end = code.length;
  while (end > 0) {
    const start = code.lastIndexOf('\n', end - 1) + 1;
    const line = code.slice(start, end).replace(/\r$/, '');
    const url = comment.exec(line)?.[1];
    if (url !== undefined) return { url, start, end: start + line.length };
    if (line.trim() !== '' && !line.startsWith('//')) return referenceBehindCode(line, start);
    end = start - 1;
  }
  return null;
}

/** Returns the reference at the end of a line of code, where Rollup writes it with `compact`, or null. */
function referenceBehindCode(line: string, lineStart: number): MapReference | null {
  const start = line.lastIndexOf('//', line.lastIndexOf('sourceMappingURL='));
  const found = start < 0 ? null : comment.exec(line.slice(start))?.[1];
  // A quote ends a string that only looks like a comment.
  if (!found || /["'`]/.test(found)) return null;
  return { url: found, start: lineStart + start, end: lineStart + line.length };
}

const debugIdComment = /^\/\/#[ \t]*debugId=([0-9a-f-]{36})[ \t]*$/i;

/** Returns the debug id in the comments at the end of a script, in lower case, or null. */
export function debugIdOfScript(code: string): string | null {
  let end = code.length;
  while (end > 0) {
    const start = code.lastIndexOf('\n', end - 1) + 1;
    const line = code.slice(start, end).replace(/\r$/, '');
    const id = debugIdComment.exec(line)?.[1];
    if (id !== undefined) return id.toLowerCase();
    if (line.trim() !== '' && !line.startsWith('//')) return null;
    end = start - 1;
  }
  return null;
}
