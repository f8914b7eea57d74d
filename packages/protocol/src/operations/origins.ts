import { Origins, OriginsInput } from '../origins.ts';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';

const originsExample: Origins = {
  origins: ['https://shop.example', 'https://*.shop.example'],
  from_settings: ['https://www.shop.example'],
};

export const originOperations: Operation[] = [
  {
    id: 'getOrigins',
    method: 'get',
    path: paths.origins,
    tag: 'Origins',
    summary: 'List the allowed origins',
    description:
      'The list applies to the whole server, so only owners of the team of the operator can read and change it.',
    auth: 'bearer',
    role: 'owner',
    responses: {
      200: {
        description: 'Both lists. An origin is allowed if one of them contains it.',
        body: { schema: Origins, example: originsExample },
      },
    },
  },
  {
    id: 'setOrigins',
    method: 'put',
    path: paths.origins,
    tag: 'Origins',
    summary: 'Replace the allowed origins',
    description: 'Takes effect immediately, without a restart. The origins from the server settings are not changed.',
    auth: 'bearer',
    role: 'owner',
    body: { type: 'application/json', schema: OriginsInput, example: { origins: originsExample.origins } },
    responses: {
      200: { description: 'Both lists after the change.', body: { schema: Origins, example: originsExample } },
    },
  },
];
