import type { ContextLine, Frame } from '@service/protocol';
import type { SourceMapConsumer } from 'source-map';
import type { Services } from '../services.ts';
import { frameAsTold } from '../stack/frame-as-told.ts';
import { isInApp } from '../stack/is-in-app.ts';
import type { StackFrame } from '../stack/stack-frame.ts';
import type { SourceMapRecord } from '../store/records.ts';
import { indexMaps } from './choose-map.ts';
import { noteMapsUsed } from './note-maps-used.ts';

/** Lines of source shown before and after the one of a frame. */
const contextLines = 5;
/** Of a longer line (the source itself may be minified), so much is shown. */
const contextChars = 300;

/** What a frame's report tells about the build it ran. */
export interface BuildFacts {
  projectId: number;
  release: string | null;
  debugIds: Record<string, string>;
  /** URL of the page. */
  url: string | null;
}

/** A frame whose `raw` still has the flags of the stack reader. */
export type SymbolicatedFrame = Frame & { raw: StackFrame };

/** Frames in the original source, as far as uploaded maps tell; the rest as the browser told them. Never rejects for a bad map. */
export async function symbolicate(
  services: Services,
  stack: readonly StackFrame[],
  build: BuildFacts,
): Promise<SymbolicatedFrame[]> {
  const uploaded = services.store.model.mapsOf(build.projectId);
  if (uploaded.length === 0) return stack.map((raw) => frameAsTold(raw, build.url));
  const maps = indexMaps(uploaded);
  const used = new Set<SourceMapRecord>();
  const frames = await Promise.all(
    stack.map(async (raw) => {
      const resolved = await resolveFrame(raw);
      return resolved ?? frameAsTold(raw, build.url);
    }),
  );
  noteMapsUsed(services, used);
  return frames;

  async function resolveFrame(raw: StackFrame): Promise<SymbolicatedFrame | null> {
    if (raw.file === null || raw.line === null || raw.column === null) return null;
    const map = maps.choose(raw.file, build.release, build.debugIds[raw.file] ?? null);
    if (!map) return null;
    const { line, column } = raw;
    const frame = await services.maps
      .use(map, (consumer) => originalFrame(consumer, raw, line, column, build.url))
      .catch((error: unknown) => {
        services.log.warn({ err: error, source_map_id: map.id }, 'a source map can not be used');
        return null;
      });
    if (frame) used.add(map);
    return frame;
  }
}

function originalFrame(
  consumer: SourceMapConsumer,
  raw: StackFrame,
  line: number,
  column: number,
  page: string | null,
): SymbolicatedFrame | null {
  // Columns of a stack begin at 1, those of a map at 0. A column of 0 would be refused.
  const original = consumer.originalPositionFor({ line: Math.max(1, line), column: Math.max(0, column - 1) });
  if (original.source === null || original.line === null) return null;
  return {
    function: raw.function,
    file: original.source,
    line: original.line,
    column: (original.column ?? 0) + 1,
    in_app: isInApp({ file: original.source }, page),
    resolved: true,
    context: contextOf(consumer.sourceContentFor(original.source, true), original.line),
    raw,
  };
}

function contextOf(source: string | null, line: number): ContextLine[] {
  if (source === null) return [];
  const first = Math.max(1, line - contextLines);
  return linesOf(source, first, line + contextLines).map((text, index) => ({
    line: first + index,
    text: text.slice(0, contextChars),
  }));
}

/** Lines `first` to `last` of a text, counted from 1, without splitting the rest. */
function linesOf(text: string, first: number, last: number): string[] {
  const lines: string[] = [];
  let start = 0;
  // A newline at the end of the text begins no further line.
  for (let line = 1; line <= last && start < text.length; line++) {
    const end = text.indexOf('\n', start);
    if (line >= first) lines.push(text.slice(start, end < 0 ? undefined : end).replace(/\r$/, ''));
    if (end < 0) break;
    start = end + 1;
  }
  return lines;
}
