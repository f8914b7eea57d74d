import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import { describeService } from '../test-utils/describe-service.ts';

const dates = ['export function formatDay(day, locale) {', '  return day.toLocaleDateString(locale);', '}'];
const page = ["import { formatDay } from './dates.ts';", 'const onClick = () => show(formatDay(day, locale));'];

/** Returns the map of a one-line bundle: column 1 is inside `formatDay`, column 101 calls it. */
function sourceMap(): string {
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

describeService('an error in a function that ends in a tail call', (start) => {
  test('has the same group in Safari, which omits the function’s frame, as in other engines', async () => {
    const { call, report } = await start();
    const body = new FormData();
    body.set('release', '1');
    body.set('file', new Blob([sourceMap()]), 'app.js.map');
    await call('POST', 'projects/1/source-maps', { body });
    const bundle = 'https://shop.example/assets/app.js';
    const fields = { release: '1', type: 'RangeError' };
    const chrome = await report({
      ...fields,
      message: 'Incorrect locale information provided',
      stacktrace: `    at Date.toLocaleDateString (<anonymous>)\n    at a (${bundle}:1:1)\n    at b (${bundle}:1:101)`,
    });
    const safari = await report({
      ...fields,
      message: 'invalid language tag: maple_X',
      stacktrace: `toLocaleDateString@[native code]\nb@${bundle}:1:101`,
    });
    expect(safari.body.fingerprint).toBe(chrome.body.fingerprint);
    const { body: group } = await call('GET', 'errors/1');
    expect(group.grouping?.components).toEqual(['src/dates.ts', 'formatDay', 'invalid-locale']);
    // The API returns the frames that the browser reported, without the `callee` that grouping uses.
    expect(group.latest_report?.frames.map(({ file }) => file)).toEqual([null, 'src/page.ts']);
    expect(Object.keys(group.latest_report?.frames[1] ?? {})).not.toContain('callee');
  });
});
