import type { ContextLine } from '@service/protocol';
import type { SourceMapConsumer } from 'source-map';
import type { Services } from '../services.ts';
import { frameAsTold, framesAsTold, type ToldFrame } from '../stack/frames-as-told.ts';
import { isInApp } from '../stack/is-in-app.ts';
import type { StackFrame } from '../stack/stack-frame.ts';
import type { SourceMapRecord } from '../store/records.ts';
import { indexMaps } from './choose-map.ts';
import { noteMapsUsed } from './note-maps-used.ts';
import { sourceLines } from './source-lines.ts';

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

/** Frames in the original source, as far as uploaded maps tell; the rest as the browser told them. Never rejects for a bad map. */
export async function symbolicate(
  services: Services,
  stack: readonly StackFrame[],
  build: BuildFacts,
): Promise<readonly ToldFrame[]> {
  const uploaded = services.store.model.mapsOf(build.projectId);
  if (uploaded.length === 0) return framesAsTold(stack, build.url);
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

  async function resolveFrame(raw: StackFrame): Promise<ToldFrame | null> {
    if (raw.file === null || raw.line === null || raw.column === null) return null;
    const map = maps.choose(raw.file, build.release, debugIdOf(raw.file, build.debugIds));
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
): ToldFrame | null {
  // Columns of a stack begin at 1, those of a map at 0. A column of 0 would be refused.
  const original = consumer.originalPositionFor({ line: Math.max(1, line), column: Math.max(0, column - 1) });
  // A source without a name comes back as the text `null`.
  if (original.source === null || original.source === 'null' || original.line === null) return null;
  return {
    function: raw.function,
    file: original.source,
    line: original.line,
    column: (original.column ?? 0) + 1,
    in_app: isInApp({ file: original.source }, page),
    resolved: true,
    context: contextOf(consumer, original.source, original.line),
    raw,
  };
}

/** Files are named by strangers: `constructor` is no debug id. */
function debugIdOf(file: string, debugIds: Record<string, string>): string | null {
  return Object.hasOwn(debugIds, file) ? (debugIds[file] ?? null) : null;
}

function contextOf(consumer: SourceMapConsumer, source: string, line: number): ContextLine[] {
  const lines = sourceLines(consumer, source);
  const first = Math.max(1, line - contextLines);
  const last = Math.min(lines.count, line + contextLines);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    line: first + index,
    text: lines.text(first + index).slice(0, contextChars),
  }));
}
