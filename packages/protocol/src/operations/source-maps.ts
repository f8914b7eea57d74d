import * as z from 'zod';
import { limits } from '../limits.ts';
import { paths } from '../paths.ts';
import { ListedSourceMap, SourceMap, SourceMapQuery } from '../source-map.ts';
import { pageExample, pageSchema } from './page-schema.ts';
import { inProject } from './projects.ts';
import type { Operation } from './operation.ts';

/** The parts of the form of POST /projects/{id}/source-maps. */
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
  created_at: '2026-11-20T09:00:00.000Z',
};

const newer: SourceMap = { ...mapExample, created_at: '2026-11-20T10:30:00.000Z' };

export const sourceMapOperations: Operation[] = [
  {
    id: 'uploadSourceMap',
    method: 'post',
    path: paths.sourceMaps,
    tag: 'Source maps',
    summary: 'Upload a source map',
    description: [
      'A form with one part `file`, the `.map` of a minified script, of at most 64 MiB; the text parts `release` and `url` are optional.',
      'A frame is resolved by the map with its debug id, else of its release and URL, else of its release and file name, else by the newest map without a release. Reports that came before their map are resolved by it when they are read.',
      'The same map again (by debug id, else by release and URL, else by release and file name) replaces the one that is there. A map that has a debug id or a URL is never replaced by one that has none.',
      "The origin in `url` is the app's own: scripts there count as its code on every page. `~/path` stands for any host and names none.",
    ].join('\n\n'),
    auth: 'bearer',
    role: 'member',
    parameters: inProject,
    body: {
      type: 'multipart/form-data',
      schema: SourceMapForm,
      example: { file: '@dist/assets/app-C3nU.js.map', release: '1.2.3', url: '~/assets/app-C3nU.js' },
    },
    answers: {
      200: {
        description: 'It has taken the place of the map that was there.',
        body: { schema: SourceMap, example: newer },
      },
      201: { description: 'The map is there.', body: { schema: SourceMap, example: mapExample } },
    },
    problems: ['invalid_source_map'],
  },
  {
    id: 'listSourceMaps',
    method: 'get',
    path: paths.sourceMaps,
    tag: 'Source maps',
    summary: 'List the source maps of a project',
    description: 'Newest first.',
    auth: 'bearer',
    parameters: inProject,
    query: SourceMapQuery,
    answers: {
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
    parameters: { ...inProject, map_id: { description: 'Id of the source map.', problem: 'source_map_not_found' } },
    answers: { 204: { description: 'The source map is gone.', body: null } },
  },
];
