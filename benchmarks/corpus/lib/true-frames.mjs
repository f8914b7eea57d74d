import { createRequire } from 'node:module';
import { join } from 'node:path';

const server = createRequire(join(import.meta.dirname, '../../../packages/server/package.json'));
/** @type {typeof import('source-map')} */
const { SourceMapConsumer } = server('source-map');

/** @typedef {{ file: string, line: number, col: number, function: string }} TrueFrame */

/**
 * Returns the source locations of a stack's frames. The stack is from a build without a bundler. Stops at a frame of a
 * library: bundlers disagree on the sources of libraries.
 *
 * @param {string} stack
 * @param {import('./build-release.mjs').Built} files
 */
export async function trueFrames(stack, files) {
  /** @type {TrueFrame[]} */
  const frames = [];
  for (const frame of framesOf(stack, /\/(?:src|node_modules)\//)) {
    const [, path] = /^https?:\/\/[^/]+\/(src\/.*)$/.exec(frame.url) ?? [];
    if (!path) break;
    const original = await SourceMapConsumer.with(JSON.parse(files.get(`${path}.map`) ?? ''), null, (map) =>
      map.originalPositionFor({ line: frame.line, column: frame.column - 1 }),
    );
    if (original.line === null) break;
    frames.push({ file: path, line: original.line, col: (original.column ?? 0) + 1, function: frame.function });
  }
  return frames;
}

/**
 * Returns the frames whose URL matches, top first. `function` is the last part of the function's name in the stack, or
 * '' if it has none.
 *
 * @param {string | null | undefined} stack
 * @param {RegExp} wanted
 */
export function framesOf(stack, wanted) {
  return (stack ?? '').split('\n').flatMap((text) => {
    const [, v8 = '', other = '', url = '', line = '', column = ''] =
      /^(?:\s+at (?:(.*?) \()?|(.*?)@)(https?:\/\/[^\s()]+?):(\d+):(\d+)\)?$/.exec(text) ?? [];
    if (!wanted.test(url)) return [];
    return [{ url, line: Number(line), column: Number(column), function: v8 ? v8Name(v8) : otherName(other) }];
  });
}

/** @param {string} engineName `async Berth.#close`, `new Berth`, `Object.<anonymous>`, `k.Timetable [as constructor]` */
function v8Name(engineName) {
  const name = engineName.replace(/^(async |new )+/, '').replace(/ \[as .*\]$/, '');
  const last = name.split('.').pop() ?? '';
  return last.startsWith('<') ? '' : last;
}

/** @param {string} engineName `listGates`, `async*loadSeats/<`, `module code` */
function otherName(engineName) {
  const name = engineName.replace(/^.*\*/, '');
  if (name.endsWith('<') || name.includes(' ')) return '';
  return name.split(/[/.]/).pop() ?? '';
}

/** @typedef {{ id: string, aligned: boolean, frames: TrueFrame[] }} TrueStack */

/**
 * Returns the stacks without names that an engine has inferred. V8 infers names for anonymous functions from the
 * surrounding code. Firefox marks such names with a final `<`, and `framesOf` drops them. So a function without a name
 * in Firefox has no name in the source.
 *
 * @param {readonly TrueStack[]} stacks
 * @param {Map<string, { engine: string, release: string }>} recordOf by id
 * @returns {TrueStack[]}
 */
export function withoutGuesses(stacks, recordOf) {
  const locationOf = (/** @type {string} */ id, /** @type {TrueFrame} */ { file, line }) =>
    `${recordOf.get(id)?.release} ${file}:${line}`;
  /** @type {Map<string, boolean>} */
  const isNamed = new Map();
  for (const { id, frames } of stacks) {
    if (recordOf.get(id)?.engine !== 'firefox') continue;
    for (const frame of frames) {
      const location = locationOf(id, frame);
      isNamed.set(location, isNamed.get(location) === true || frame.function !== '');
    }
  }
  return stacks.map(({ id, aligned, frames }) => ({
    id,
    aligned,
    frames: frames.map((frame) => (isNamed.get(locationOf(id, frame)) === false ? { ...frame, function: '' } : frame)),
  }));
}
