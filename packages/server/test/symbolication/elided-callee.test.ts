import type { Frame } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { countTextWork } from '../../../../test/test-utils/count-text-work.ts';
import { elidedCallee, type Callee } from '../../src/symbolication/elided-callee.ts';
import type { MapSource } from '../../src/symbolication/map-reader.ts';

const dates = `
export function formatDay(day, locale) {
  return day.toLocaleDateString(locale);
}
export const formatHour = (time) => time.toLocaleTimeString();
export class Calendar { static week(day) { return parse(day); } }
`;

interface Given {
  /** Returns the source of the page; `▲` marks the position of the frame. */
  code: string;
  imports?: string;
  files?: Record<string, string>;
}

/** Returns the function that the top frame of a page, at `src/pages/tickets.tsx`, calls there. */
async function calleeIn({ code, imports = '', files = { 'src/dates.ts': dates } }: Given): Promise<Callee | null> {
  const text = `${imports}\n${code}`;
  const before = text.slice(0, text.indexOf('▲')).split('\n');
  const [line, column] = [before.length, (before.at(-1) ?? '').length + 1];
  const plain = text.replace('▲', '');
  const context = plain.split('\n').map((one, index) => ({ line: index + 1, text: one }));
  const raw = { function: null, file: 'https://ferry.example/a.js', line: 1, column: 9 };
  const file = '../../src/pages/tickets.tsx';
  const frame: Frame = { function: null, file, line, column, in_app: true, resolved: true, context, raw };
  const sources = Object.entries(files).map(([path, content]): MapSource => ({
    path,
    isIgnored: false,
    bytes: content.length,
    hash: path,
    text: async () => content,
  }));
  return elidedCallee(
    frame,
    { hash: 'x', file, bytes: plain.length, projectId: 1, text: async () => plain },
    async () => sources,
  );
}

const imports = "import { formatDay, formatHour as hour, Calendar } from '../dates.ts';\nimport { z } from 'zod';";
const inDates = (name: string): Callee => ({ file: 'src/dates.ts', function: name });

describe('a function whose frame the engine elided', () => {
  test.each([
    ['show(▲formatDay(new Date(), locale));', 'formatDay'],
    ['show(▲hour(time));', 'formatHour'],
    ['show(▲Calendar.week(day));', 'Calendar.week'],
    ['show(▲formatDay<Long>(day));', 'formatDay'],
  ])('is the function that the frame calls: %s', async (code, name) => {
    expect(await calleeIn({ code, imports })).toEqual(inDates(name));
  });

  test('may be declared in the same file', async () => {
    const code = 'const nameOf = (crew) => read(crew);\nshow(▲nameOf(crew));';
    expect(await calleeIn({ code })).toEqual({ file: 'src/pages/tickets.tsx', function: 'nameOf' });
  });

  test('is found for every form of import', async () => {
    for (const from of ['../dates.ts', '../dates', '../dates.js', './../dates.ts'])
      expect(
        await calleeIn({ code: '▲formatDay(day);', imports: `import {\n  formatDay,\n} from "${from}";` }),
      ).toEqual(inDates('formatDay'));
    expect(await calleeIn({ code: '▲dates.formatDay(day);', imports: "import * as dates from '../dates';" })).toEqual(
      inDates('formatDay'),
    );
    const files = { 'src/dates/index.ts': dates };
    expect(
      await calleeIn({ code: '▲formatDay(day);', imports: "import { formatDay } from '../dates';", files }),
    ).toEqual({
      file: 'src/dates/index.ts',
      function: 'formatDay',
    });
  });

  test.each([
    'show(▲atob(text));',
    'show(▲z.parse(text));',
    'show(▲hour.call(time));',
    'show(new ▲Calendar(day));',
    'show(dates.▲formatDay(day));',
    'if ▲(day) show(day);',
    '▲throw new Error(day);',
    'show(▲formatDay);',
    'show(▲day.month);',
    '▲',
  ])('is null if the frame calls no function of the app: %s', async (code) => {
    expect(await calleeIn({ code, imports })).toBeNull();
  });

  test('is null for a function that its file re-exports or does not declare', async () => {
    const files = { 'src/dates.ts': "export * from './days.ts';" };
    expect(await calleeIn({ code: '▲formatDay(day);', imports, files })).toBeNull();
    expect(await calleeIn({ code: '▲formatDay(day);', imports, files: {} })).toBeNull();
    const outside = "import { formatDay } from '../../../../../dates.ts';";
    expect(await calleeIn({ code: '▲formatDay(day);', imports: outside, files: {} })).toBeNull();
  });

  test('is searched in malicious source in linear time', async () => {
    const pieces = [
      'import { ',
      "a as a from './x' ",
      'function ',
      `${'w'.repeat(1_999)} `,
      '" from "./%E0%A4%A',
      'as as ',
    ];
    for (const piece of pieces) {
      const source = piece.repeat(400_000 / piece.length);
      const steps = await countTextWork(() => calleeIn({ code: '▲formatDay(day);', imports: source }));
      expect(steps / source.length).toBeLessThan(40);
    }
  });
});
