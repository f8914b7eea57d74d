import * as z from 'zod';
import { limits } from '../limits.ts';
import { paths } from '../paths.ts';
import { ListedSourceMap, SourceMap, SourceMapQuery, SourceMapUsage } from '../source-map.ts';
import { PositionQuery, PositionResolution } from '../resolution.ts';
import { pageExample, pageSchema } from './page-schema.ts';
import type { Operation } from './operation.ts';
import { projectParameters } from './path-parameters.ts';

/** The form fields of POST /projects/{id}/source-maps. */
export const SourceMapForm = z.strictObject({
  file: z.file(),
  release: z.string().max(limits.releaseChars).optional(),
  url: z.string().max(limits.urlChars).optional(),
});

export const SourceMapPage = pageSchema(ListedSourceMap);

const mapExample: SourceMap = {
  id: 3,
  file: 'app-C3nU.js',
  release: '1.2.3',
  url: '~/assets/app-C3nU.js',
  debug_id: null,
  size: 81_920,
  sources: 214,
  hash: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  created_at: '2026-11-20T09:00:00.000Z',
};

const positionExample: PositionResolution = {
  file: 'https://shop.example/assets/app-C3nU.js',
  line: 1,
  column: 2048,
  result: 'resolved',
  detail: {},
  maps: [{ id: 3, file: 'app-C3nU.js', release: '1.2.3', url: '~/assets/app-C3nU.js', why: 'release_url' }],
  original: { file: 'src/cart.ts', line: 12, column: 23, text: '  return total(cart.items);' },
};

const newer: SourceMap = { ...mapExample, created_at: '2026-11-20T10:30:00.000Z' };

export const sourceMapOperations: Operation[] = [
  {
    id: 'getSourceMapUsage',
    method: 'get',
    path: paths.sourceMapUsage,
    tag: 'Source maps',
    summary: 'Get the size of all source maps of the team',
    description: 'Maps that resolved no stack for `expire_days` are deleted.',
    auth: 'bearer',
    responses: {
      200: {
        description: 'The usage and its limits.',
        body: {
          schema: SourceMapUsage,
          example: { maps: 12, max_maps: 100_000, bytes: 4_300_000, max_bytes: 10_737_418_240, expire_days: 90 },
        },
      },
    },
  },
  {
    id: 'uploadSourceMap',
    method: 'post',
    path: paths.sourceMaps,
    tag: 'Source maps',
    summary: 'Upload a source map',
    description: [
      'The form field `file` is the `.map` file of a minified script, at most 64 MiB. The text fields `release` and `url` are optional.',
      'A frame is resolved with the map that has its debug id. Without one, the map of its release and URL is used, then the map of its release and file name, then the newest map without a release. A map also resolves reports that arrived before it.',
      'An upload replaces the existing map with the same debug id; without a debug id, the map with the same release and URL; without a URL, the map with the same release and file name. A map with a debug id or a URL is never replaced by a map without one.',
      'Scripts from the origin in `url` count as code of the app on every page. `~/path` matches any host and adds no origin.',
    ].join('\n\n'),
    auth: 'bearer',
    role: 'member',
    parameters: projectParameters,
    body: {
      type: 'multipart/form-data',
      schema: SourceMapForm,
      example: { file: '@dist/assets/app-C3nU.js.map', release: '1.2.3', url: '~/assets/app-C3nU.js' },
    },
    responses: {
      200: {
        description: 'The map has replaced an existing one.',
        body: { schema: SourceMap, example: newer },
      },
      201: { description: 'The map is new.', body: { schema: SourceMap, example: mapExample } },
    },
    problems: ['invalid_source_map', 'conflict'],
  },
  {
    id: 'listSourceMaps',
    method: 'get',
    path: paths.sourceMaps,
    tag: 'Source maps',
    summary: 'List the source maps of a project',
    description:
      'Newest first. `hash` can be given more than once. A tool can use it to find which of its maps are already stored, and skip their upload.',
    auth: 'bearer',
    parameters: projectParameters,
    query: SourceMapQuery,
    responses: {
      200: {
        description: 'A page of source maps.',
        body: {
          schema: SourceMapPage,
          example: pageExample({ ...mapExample, last_used_at: '2026-11-20T09:30:00.000Z' }),
        },
      },
    },
  },
  {
    id: 'deleteSourceMap',
    method: 'delete',
    path: paths.sourceMap,
    tag: 'Source maps',
    summary: 'Delete a source map',
    auth: 'bearer',
    role: 'member',
    parameters: {
      ...projectParameters,
      map_id: { description: 'Id of the source map.', problem: 'source_map_not_found' },
    },
    responses: { 204: { description: 'The source map is deleted.', body: null } },
  },
  {
    id: 'resolvePosition',
    method: 'get',
    path: paths.positionResolution,
    tag: 'Source maps',
    summary: 'Resolve a position in a minified script',
    description:
      'Resolves a position as if it were a frame of a report, with the current source maps. A tool can verify with it that an uploaded map works. The script is assumed to be minified. The map does not count as used.',
    auth: 'bearer',
    parameters: projectParameters,
    query: PositionQuery,
    responses: {
      200: {
        description: 'The original position, or the reason why it is unknown.',
        body: { schema: PositionResolution, example: positionExample },
      },
    },
  },
];
