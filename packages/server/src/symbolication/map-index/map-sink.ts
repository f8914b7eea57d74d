import type { TextSink } from './json-scanner.ts';
import type { PositionSink } from './mappings-check.ts';

/** Who is told what stands in a map, in its order there. Whether all of it is right is only known at the end. */
export interface MapSink extends PositionSink {
  /** The whole map, or that of a section. What comes next is of it; of the whole map nothing comes once there are sections. */
  beginMap(): void;
  beginSourceRoot(): TextSink;
  endSourceRoot(): void;
  beginSource(): TextSink;
  endSource(): void;
  sourceWithoutName(): void;
  beginContent(): TextSink;
  endContent(): void;
  noContent(): void;
  /** A source, by its number, is none of the app's own. */
  ignore(source: number): void;
  /** Where the map that was read last stands in the minified file. */
  section(line: number, column: number): void;
}
