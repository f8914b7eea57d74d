import * as z from 'zod';
import { limits } from './limits.ts';
import { PageQuery } from './pagination.ts';
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
  /** SHA-256 of the uploaded file, in hexadecimal; null for maps that an early version of the server has stored. */
  hash: z.string().nullable(),
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
export const SourceMapQuery = PageQuery.extend({
  release: z.string().optional(),
  hash: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in lower-case hexadecimal'))
    .max(limits.mapHashes)
    .optional(),
});
export type SourceMapQuery = z.infer<typeof SourceMapQuery>;

/** The source maps of all projects of a team, and their limits. */
export const SourceMapUsage = z.object({
  maps: z.int(),
  max_maps: z.int(),
  /** Size of the stored maps, which are usually smaller than the uploads. */
  bytes: z.int(),
  max_bytes: z.int(),
  /** Days after which a map that resolves no stack is deleted. */
  expire_days: z.int(),
});
export type SourceMapUsage = z.infer<typeof SourceMapUsage>;
