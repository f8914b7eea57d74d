import * as z from 'zod';
import { PageQuery } from './page.ts';
import { Id, Timestamp } from './primitives.ts';

/** An uploaded source map. `file` is the uploaded name without `.map`. */
export const SourceMap = z.object({
  id: Id,
  file: z.string(),
  release: z.string().nullable(),
  /** URL or path of the minified file; `~/path` stands for any host. */
  url: z.string().nullable(),
  debug_id: z.string().nullable(),
  /** Bytes, as uploaded. */
  size: z.int(),
  sources: z.int(),
  created_at: Timestamp,
});
export type SourceMap = z.infer<typeof SourceMap>;

/** As lists show it. */
export const ListedSourceMap = SourceMap.extend({
  /** When it last served a frame; null: never. */
  last_used_at: Timestamp.nullable(),
});
export type ListedSourceMap = z.infer<typeof ListedSourceMap>;

/** The query of GET /projects/{id}/source-maps. */
export const SourceMapQuery = PageQuery.extend({ release: z.string().optional() });
export type SourceMapQuery = z.infer<typeof SourceMapQuery>;
