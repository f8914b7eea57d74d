import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import { describeService, type TestService } from '../test-utils/describe-service.ts';

/** A source, with `▲1`, `▲2` … at the locations of the bundle's columns 100, 200 … */
interface Source {
  file: string;
  code: string;
}

const bundle = 'https://library.example/assets/app-46KHIFEC.js';
const mark = /▲\d/g;

/** Uploads the map of a one-line bundle. */
async function upload({ call }: TestService, sources: readonly Source[]): Promise<void> {
  const generator = new SourceMapGenerator({ file: 'app-46KHIFEC.js' });
  for (const { file, code } of sources) {
    generator.setSourceContent(file, code.replaceAll(mark, ''));
    for (const [index, line] of code.split('\n').entries())
      for (const { 0: text, index: at } of line.matchAll(mark))
        generator.addMapping({
          generated: { line: 1, column: Number(text.slice(1)) * 100 - 1 },
          original: { line: index + 1, column: line.slice(0, at).replaceAll(mark, '').length },
          source: file,
        });
  }
  const body = new FormData();
  body.set('file', new Blob([JSON.stringify(generator.toJSON())]), 'app-46KHIFEC.js.map');
  const { status } = await call('POST', 'projects/1/source-maps', { body });
  expect(status).toBe(201);
}

/** Returns the location of a mark as V8 and as JavaScriptCore report it. */
const v8 = (number: number, name = 'nn'): string => `    at ${name} (${bundle}:1:${number}00)`;
const jsc = (number: number, name = 'nn'): string => `${name}@${bundle}:1:${number}00`;

/** Sends an error, and returns its group and how it was grouped. */
async function groupOf({ call, report }: TestService, message: string, frames: readonly string[], type = 'TypeError') {
  const { body } = await report({ type, message, stacktrace: [`${type}: ${message}`, ...frames].join('\n') });
  const { body: group } = await call('GET', `errors/${body.error_group_id}`);
  return { id: body.error_group_id, ...group };
}

const missing = (name: string): string => `Cannot read properties of undefined (reading '${name}')`;

describeService('a function without a name', (start) => {
  test('that is registered for an event is separate from one for another event', async () => {
    const service = await start();
    await upload(service, [
      {
        file: 'src/desk.ts',
        code: `export function connectDesk(desk, copy) {
  desk.on('lend', () => print(copy.▲1shelf));
  desk.on('return', () => print(copy.▲2shelf));
}`,
      },
    ]);
    const lent = await groupOf(service, missing('shelf'), [v8(1)]);
    const returned = await groupOf(service, missing('shelf'), [v8(2)]);
    expect(lent.id).not.toBe(returned.id);
    expect(lent.culprit).toBe("connectDesk.on('lend') (src/desk.ts)");
    expect(returned.latest_report?.frames[0]?.function).toBe("connectDesk.on('return')");
  });

  test('at the top of a file is named after the call that takes it, in every engine', async () => {
    const service = await start();
    await upload(service, [
      {
        file: 'src/valves.ts',
        code: `routes.get('/valves/:id', async ({ valve }) => {
  show(valve.▲1pressure);
});
vent.addEventListener('click', function () {
  show(vent.state.▲2pressure);
});`,
      },
    ]);
    const route = await groupOf(service, missing('pressure'), [v8(1)]);
    const sameInSafari = await groupOf(service, "undefined is not an object (evaluating 'e.valve.pressure')", [
      jsc(1, ''),
    ]);
    expect(sameInSafari.id).toBe(route.id);
    expect(route.culprit).toBe("get('/valves/:id') (src/valves.ts)");
    const click = await groupOf(service, missing('pressure'), [v8(2)]);
    expect(click.culprit).toBe("addEventListener('click') (src/valves.ts)");
  });

  test('that is called at once is grouped with the function around it', async () => {
    const service = await start();
    await upload(service, [
      {
        file: 'src/desk.ts',
        code: `function remind(copy) { send(copy.▲1reader); }
function remindLater(copy) { return tracer.span('remind', () => send(copy.▲2reader)); }`,
      },
    ]);
    expect((await groupOf(service, missing('reader'), [v8(1)])).culprit).toBe('remind (src/desk.ts)');
    const { grouping } = await groupOf(service, missing('reader'), [v8(2)]);
    expect(grouping?.components).toEqual(['src/desk.ts', 'remindLater', 'nullish:reader']);
  });
});

describeService('a helper that calls its parameter', (start) => {
  const invalid = 'Unexpected end of JSON input';

  test('is not the location if Safari elided the callback', async () => {
    const service = await start();
    const timed =
      'export function timed<T>(name: string, work: () => T): T {\n  const start = now();\n  const result = ▲1work();';
    await upload(service, [
      { file: 'src/timed.ts', code: `${timed}\n  log(name, now() - start);\n  return result;\n}` },
      {
        file: 'src/catalog.ts',
        code: `export function readCatalog(text: string) {
  return ▲2timed('catalog', () => JSON.▲3parse(text));
}`,
      },
    ]);
    const chromium = await groupOf(service, invalid, [v8(3), v8(1), v8(2)], 'SyntaxError');
    const safari = await groupOf(
      service,
      'JSON Parse error: Unexpected EOF',
      ['parse@[native code]', jsc(1), jsc(2)],
      'SyntaxError',
    );
    expect(safari.id).toBe(chromium.id);
    expect(safari.grouping?.components).toEqual(['src/catalog.ts', 'readCatalog', 'json-syntax']);
  });

  test('is not the location if Safari elided a callback that calls a function of the app', async () => {
    const service = await start();
    await upload(service, [
      {
        file: 'src/climate.js',
        code: `const decode = (text) => JSON.▲1parse(text);
function batch(change) { ▲2change(); flush(); }
export function loadClimate(text) {
  ▲3batch(() => decode(text));
}`,
      },
    ]);
    const chromium = await groupOf(service, invalid, [v8(1), v8(4), v8(2), v8(3)], 'SyntaxError');
    const safari = await groupOf(service, 'JSON Parse error: Unexpected EOF', [jsc(2), jsc(3)], 'SyntaxError');
    expect(safari.id).toBe(chromium.id);
    expect(safari.grouping?.components).toEqual(['src/climate.js', 'decode', 'json-syntax']);
  });

  test('is the location if it fails itself', async () => {
    const service = await start();
    await upload(service, [{ file: 'src/batch.js', code: 'function batch(change) { ▲1change(); }\n▲2batch(null);' }]);
    const { grouping } = await groupOf(service, 'change is not a function', [v8(1), v8(2)]);
    expect(grouping?.components.slice(0, 2)).toEqual(['src/batch.js', 'batch']);
  });
});

describeService('evaluated code', (start) => {
  test.each([
    ['src/labels.ts', 'compileLabel', 'printLabel'],
    ['src/formula.ts', 'compileFormula', 'waterBeds'],
  ])('is resolved at the call that evaluates it, and is not the location: %s', async (file, maker, user) => {
    const service = await start();
    const code = `function ${maker}(text) { return ▲1new Function('data', text); }
function ${user}(data) { return ▲2compiled(data); }`;
    await upload(service, [{ file, code }]);
    const evaluated = `    at eval (eval at nn (${bundle}:1:100), <anonymous>:3:8)`;
    const chromium = await groupOf(service, missing('code'), [evaluated, v8(2)]);
    const firefox = await groupOf(service, 'can\'t access property "code", data.copy is undefined', [
      `anonymous@${bundle} line 1 > Function:3:8`,
      jsc(2),
    ]);
    expect(firefox.id).toBe(chromium.id);
    expect(chromium.culprit).toBe(`${user} (${file})`);
    const [top] = chromium.latest_report?.frames ?? [];
    expect(top).toMatchObject({ file, line: 1, function: maker, resolved: true });
  });
});
