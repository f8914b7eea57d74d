import * as z from 'zod';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';

export const openApiOperations: Operation[] = [
  {
    id: 'describeApi',
    method: 'get',
    path: paths.openapi,
    tag: 'OpenAPI',
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1, generated from the schemas that validate requests.',
    auth: 'none',
    responses: {
      200: {
        description: 'An OpenAPI document.',
        body: { schema: z.record(z.string(), z.unknown()), example: { openapi: '3.1.1' } },
      },
    },
  },
];
