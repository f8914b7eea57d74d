import * as z from 'zod';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';

export const machineDescriptionOperations: Operation[] = [
  {
    id: 'describeApi',
    method: 'get',
    path: paths.openapi,
    tag: 'Machine description',
    summary: 'Get this description',
    description: 'OpenAPI 3.1, made of the schemas that requests are checked by.',
    auth: 'none',
    answers: {
      200: {
        description: 'An OpenAPI document.',
        body: { schema: z.record(z.string(), z.unknown()), example: { openapi: '3.1.1' } },
      },
    },
  },
];
