import * as z from 'zod';
import { PageQuery } from './page.ts';
import { Id, Timestamp } from './primitives.ts';

/** An uploaded source map. `file` is the uploaded name without `.map`. */
export const SourceMap = z.object({
  id: Id,
  file: z.string(),
  release: z.string().nullable(),
  /** URL or path of the minified file; `~/path` matches any host. */
  url: z.string().nullable(),
  debug_id: z.string().nullable(),
  /** Size of the upload in bytes. */
  size: z.int(),
  sources: z.int(),
  created_at: Timestamp,
});
export type SourceMap = z.infer<typeof SourceMap>;

/** A source map as listed in its project. */
export const ListedSourceMap = SourceMap.extend({
  /** When the map last resolved a frame; null means never. */
  last_used_at: Timestamp.nullable(),
});
export type ListedSourceMap = z.infer<typeof ListedSourceMap>;

/** The query of GET /projects/{id}/source-maps. */
export const SourceMapQuery = PageQuery.extend({ release: z.string().optional() });
export type SourceMapQuery = z.infer<typeof SourceMapQuery>;
