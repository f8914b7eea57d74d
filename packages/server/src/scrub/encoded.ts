const escapes =
  /%([2-7][\da-f])|\\{1,7}u00([2-7][\da-f])|\\{1,7}x([2-7][\da-f])|&#0?(\d{2,3});|&#x([2-7][\da-f]);|&(quot|apos|amp|lt|gt|equals|colon|commat);/gi;

const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['equals', '='],
  ['colon', ':'],
  ['commat', '@'],
]);

/** Of what a text within a text has been through, the uppermost: `%3D`, `\u003d` and `&#61;` are `=` again. */
export function decodeOnce(text: string): string {
  return text.replace(escapes, (escape, percent, unicode, byte, decimal, hexadecimal, entity) => {
    if (entity) return entities.get(String(entity).toLowerCase()) ?? escape;
    const code = decimal ? Number(decimal) : Number.parseInt(percent ?? unicode ?? byte ?? hexadecimal, 16);
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : escape;
  });
}

/** Once begun, a run goes on to its end: so each is read once. Shorter ones say too little. */
const base64 = /(?<![\w+/-])[\w+/-]{12,}={0,2}/g;
/** Whether a run is worth reading is seen by so much of it. */
const tried = 24;

/** A text in which every run of base64 that is the text of something is given to `replace`, with what it says. */
export function replaceBase64(text: string, replace: (run: string, decoded: string) => string): string {
  return text.replace(base64, (run) => {
    if (!isReadable(decode(run.slice(0, tried)))) return run;
    const decoded = decode(run);
    return isReadable(decoded) ? replace(run, decoded) : run;
  });
}

/** Either alphabet. */
function decode(run: string): string {
  return Buffer.from(run, 'base64').toString();
}

/** Of what is no base64 hardly a few bytes in a row make text. */
function isReadable(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text);
}
