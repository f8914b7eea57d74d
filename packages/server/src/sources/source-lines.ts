import type { SourceMapConsumer } from 'source-map';

/** The lines of a source, counted from 1. */
export interface SourceLines {
  count: number;
  text(line: number): string;
}

const known = new WeakMap<SourceMapConsumer, Map<string, SourceLines>>();

/**
 * The lines of a source as far as the map has it. Where they begin is looked for once a source, and forgotten with
 * the map: a stack may have hundreds of frames near the end of megabytes.
 */
export function sourceLines(consumer: SourceMapConsumer, source: string): SourceLines {
  let sources = known.get(consumer);
  if (!sources) known.set(consumer, (sources = new Map()));
  let lines = sources.get(source);
  if (!lines) sources.set(source, (lines = splitLines(consumer.sourceContentFor(source, true) ?? '')));
  return lines;
}

function splitLines(text: string): SourceLines {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  // A newline at the end of the text begins no further line.
  const count = starts.at(-1) === text.length ? starts.length - 1 : starts.length;
  return {
    count,
    text: (line) =>
      text.slice(starts[line - 1], line < starts.length ? (starts[line] ?? 0) - 1 : undefined).replace(/\r$/, ''),
  };
}
