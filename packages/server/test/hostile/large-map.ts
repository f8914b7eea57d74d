/**
 * Yields a map like a bundler's for a very large app: sources with their text, and mappings of every few characters.
 * Generated in pieces on each call, so that it is never in memory whole. `bytes` is the approximate size.
 */
export function* largeMap(bytes: number, file = 'large.js'): Generator<Buffer> {
  const sources = Math.max(1, Math.round(bytes / 28_000));
  const names = Array.from({ length: 20_000 }, (_, index) => `name${index}`);
  yield Buffer.from(
    `{"version":3,"file":"${file}","sources":${JSON.stringify(sourceNames(sources))},"sourcesContent":[`,
  );
  let written = 0;
  for (let source = 0; source < sources; source++) {
    const text = Buffer.from(`${source > 0 ? ',' : ''}${JSON.stringify(sourceText(source))}`);
    written += text.length;
    yield text;
  }
  yield Buffer.from(`],"names":${JSON.stringify(names)},"mappings":"`);
  yield* mappings(bytes - written - sources * 40 - names.length * 11, sources, names.length);
  yield Buffer.from('"}');
}

function sourceNames(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `webpack://shop/./src/features/area-${index % 97}/module-${index}.tsx`,
  );
}

function sourceText(seed: number): string {
  const lines: string[] = [];
  for (let line = 0; line < 220; line++) {
    const word = (Math.imul(seed * 31 + line, 2_654_435_761) >>> 0).toString(36);
    lines.push(`  const total_${word} = items.map((item) => item.price * ${line}).reduce("sum${word}");`);
  }
  return lines.join('\n');
}

function* mappings(bytes: number, sources: number, names: number): Generator<Buffer> {
  let left = bytes;
  let name = 0;
  for (let source = 0; left > 0; source++) {
    const next = source % sources === 0 ? 1 - sources : 1;
    const parts: string[] = [`A${vlq(source === 0 ? 0 : next)}AA`];
    for (let index = 0; index < 3_000; index++) {
      const step = ((index * 7 + source) % 900) - 450;
      const target = (name + step + names) % names;
      parts.push(
        index % 5 === 0
          ? `${vlq(index % 40)}AC${vlq(1)}${vlq(target - name)}`
          : `${vlq(index % 40)}AA${vlq(index % 23)}`,
      );
      if (index % 5 === 0) name = target;
    }
    const text = `${parts.join(',')};`;
    left -= text.length;
    yield Buffer.from(left > 0 ? text : text.slice(0, -1));
  }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
