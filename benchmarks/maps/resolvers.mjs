import { openSync, readFileSync, readSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * A location in a minified file, line from 1, column from 0; and the result: the file, the line from 1, and that line
 * with five lines before and after it.
 *
 * @typedef {{ line: number, column: number }} Position
 * @typedef {{ file: string, line: number, context: string[] }} Found
 */

/**
 * Opens a new map: does all work before its first location is resolved. Returns the function that resolves a location.
 *
 * @typedef {(map: string, index: string) => Promise<(position: Position) => Promise<Found | null>>} Resolver
 */

const around = 5;

/** @type {Record<string, (module: string) => Promise<Resolver>>} our own is given as a built module */
export const resolvers = {
  'service, its index': async (module) => {
    const { MapIndex } = await import(pathToFileURL(module).href);
    return async (_, index) => {
      const file = openSync(index, 'r');
      const { size } = statSync(index);
      const read = async (/** @type {number} */ start, /** @type {number} */ end) => {
        const buffer = Buffer.allocUnsafe(end - start);
        readSync(file, buffer, 0, end - start, start);
        return buffer;
      };
      const blocks = new Map();
      const opened = await MapIndex.open(size, read, {
        get: async (/** @type {number} */ offset, /** @type {() => Promise<Buffer>} */ unpack) => {
          const known = blocks.get(offset);
          if (known) return known;
          const block = await unpack();
          blocks.set(offset, block);
          return block;
        },
      });
      return async ({ line, column }) => {
        const found = await opened.find(line - 1, column);
        if (!found) return null;
        const { name } = await opened.nameOf(found.source);
        const lines = await opened.linesOf(found.source, found.line + 1 - around, found.line + 1 + around);
        return {
          file: name,
          line: found.line + 1,
          context: lines.map((/** @type {{ text: string }} */ { text }) => text),
        };
      };
    };
  },
  'source-map': async () => {
    const { SourceMapConsumer } = await import('source-map');
    return async (map) => {
      const consumer = await new SourceMapConsumer(JSON.parse(readFileSync(map, 'utf8')));
      return async ({ line, column }) => {
        const { source, line: at } = consumer.originalPositionFor({ line, column });
        return source === null || at === null
          ? null
          : { file: source, line: at, context: linesOf(consumer.sourceContentFor(source, true), at) };
      };
    };
  },
  '@jridgewell/trace-mapping': async () => {
    const { TraceMap, originalPositionFor, sourceContentFor } = await import('@jridgewell/trace-mapping');
    return async (map) => {
      const traced = new TraceMap(readFileSync(map, 'utf8'));
      return async ({ line, column }) => {
        const { source, line: at } = originalPositionFor(traced, { line, column });
        return source === null || at === null
          ? null
          : { file: source, line: at, context: linesOf(sourceContentFor(traced, source), at) };
      };
    };
  },
};

/**
 * @param {string | null} text
 * @param {number} line
 */
function linesOf(text, line) {
  // A newline at the end of the text begins no further line.
  return (text ?? '')
    .replace(/\n$/, '')
    .split('\n')
    .slice(Math.max(0, line - 1 - around), line + around);
}
