import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import { describeService } from '../test-utils/service.ts';

const dates = ['export function formatDay(day, locale) {', '  return day.toLocaleDateString(locale);', '}'];
const page = ["import { formatDay } from './dates.ts';", 'const onClick = () => show(formatDay(day, locale));'];

/** Of one line: at column 1 the call within `formatDay`, at column 101 the call of it. */
function map(): string {
  const generator = new SourceMapGenerator({ file: 'app.js' });
  generator.addMapping({
    generated: { line: 1, column: 0 },
    original: { line: 2, column: 13 },
    source: 'src/dates.ts',
  });
  generator.addMapping({
    generated: { line: 1, column: 100 },
    original: { line: 2, column: 27 },
    source: 'src/page.ts',
  });
  generator.setSourceContent('src/dates.ts', dates.join('\n'));
  generator.setSourceContent('src/page.ts', page.join('\n'));
  return JSON.stringify(generator.toJSON());
}

describeService('a function that ends in a call', (start) => {
  test('has no frame in Safari, and its errors are in the group of the other engines all the same', async () => {
    const { call, report } = await start();
    const body = new FormData();
    body.set('release', '1');
    body.set('file', new Blob([map()]), 'app.js.map');
    await call('POST', 'projects/1/source-maps', { body });
    const bundle = 'https://shop.example/assets/app.js';
    const told = { release: '1', type: 'RangeError' };
    const chrome = await report({
      ...told,
      message: 'Incorrect locale information provided',
      stacktrace: `    at Date.toLocaleDateString (<anonymous>)\n    at a (${bundle}:1:1)\n    at b (${bundle}:1:101)`,
    });
    const safari = await report({
      ...told,
      message: 'invalid language tag: maple_X',
      stacktrace: `toLocaleDateString@[native code]\nb@${bundle}:1:101`,
    });
    expect(safari.body.fingerprint).toBe(chrome.body.fingerprint);
    const { body: group } = await call('GET', 'errors/1');
    expect(group.grouping?.components).toEqual(['src/dates.ts', 'formatDay', 'invalid-locale']);
    // What the browser told is shown as it is.
    expect(group.latest_report?.frames.map(({ file }) => file)).toEqual([null, 'src/page.ts']);
    expect(Object.keys(group.latest_report?.frames[1] ?? {})).not.toContain('callee');
  });
});
