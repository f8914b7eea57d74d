import type { TextSink } from './json-scanner.ts';
import type { PositionSink } from './mappings-check.ts';

/** Receives the parts of a map in their order. Whether the whole map is valid is only known at the end. */
export interface MapSink extends PositionSink {
  /**
   * The whole map, or that of a section, begins. The next parts belong to it. Once there are sections, the whole map
   * has no more parts.
   */
  beginMap(): void;
  beginSourceRoot(): TextSink;
  endSourceRoot(): void;
  beginSource(): TextSink;
  endSource(): void;
  sourceWithoutName(): void;
  beginContent(): TextSink;
  endContent(): void;
  noContent(): void;
  /** The source with this number is not the app's own. */
  ignore(source: number): void;
  /** The position in the minified file where the last map begins. */
  section(line: number, column: number): void;
}
