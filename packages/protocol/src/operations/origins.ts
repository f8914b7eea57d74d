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
    summary: 'List the origins whose pages may report',
    description: 'Only for owners of the team of the operator: the list is that of the whole server.',
    auth: 'bearer',
    role: 'owner',
    answers: { 200: { description: 'Both lists; both count.', body: { schema: Origins, example: originsExample } } },
  },
  {
    id: 'setOrigins',
    method: 'put',
    path: paths.origins,
    tag: 'Origins',
    summary: 'Replace the list of origins',
    description: 'At once, and without a restart. What stands in the settings stays.',
    auth: 'bearer',
    role: 'owner',
    body: { type: 'application/json', schema: OriginsInput, example: { origins: originsExample.origins } },
    answers: {
      200: { description: 'Both lists as they are now.', body: { schema: Origins, example: originsExample } },
    },
  },
];
