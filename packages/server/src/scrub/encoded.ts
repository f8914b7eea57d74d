const escapeSequences =
  /%([2-7][\da-f])|\\{1,7}u00([2-7][\da-f])|\\{1,7}x([2-7][\da-f])|&#0?(\d{2,3});|&#x([2-7][\da-f]);|&(quot|apos|amp|lt|gt|equals|colon|commat);/gi;

const htmlEntities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['equals', '='],
  ['colon', ':'],
  ['commat', '@'],
]);

/** Decodes the outermost level of escapes: `%3D`, `\u003d` and `&#61;` become `=`. */
export function decodeOnce(text: string): string {
  return text.replace(escapeSequences, (escape, percent, unicode, byte, decimal, hexadecimal, entity) => {
    if (entity) return htmlEntities.get(String(entity).toLowerCase()) ?? escape;
    const code = decimal ? Number(decimal) : Number.parseInt(percent ?? unicode ?? byte ?? hexadecimal, 16);
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
  });
}

/** Runs of base64. The match is greedy, so each run is read once. Shorter runs say too little. */
const base64 = /(?<![\w+/-])[\w+/-]{12,}={0,2}/g;
/** The number of characters that are decoded first, to decide whether a run is worth decoding. */
const probeChars = 24;

/** Replaces every run of base64 that decodes to text. `replace` gets the run and the decoded text. */
export function replaceBase64(text: string, replace: (run: string, decoded: string) => string): string {
  return text.replace(base64, (run) => {
    if (!isReadable(decode(run.slice(0, probeChars)))) return run;
    const decoded = decode(run);
    return isReadable(decoded) ? replace(run, decoded) : run;
  });
}

/** Decodes both alphabets of base64. */
function decode(run: string): string {
  return Buffer.from(run, 'base64').toString();
}

/**
 * Returns whether the text has no control characters except white space, and no invalid UTF-8. A run that is not base64
 * rarely decodes to such a text.
 */
function isReadable(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text);
}
