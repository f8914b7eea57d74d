import { PageQuery } from '../pagination.ts';
import { paths } from '../paths.ts';
import { NewPersonalToken, PersonalToken, PersonalTokenInput } from '../personal-token.ts';
import type { Operation } from './operation.ts';
import { pageExample, pageSchema } from './page-schema.ts';

export const PersonalTokenPage = pageSchema(PersonalToken);

const tokenExample: PersonalToken = {
  id: 4,
  name: 'CI',
  created_at: '2026-11-20T09:00:00.000Z',
  expires_at: '2027-11-20T00:00:00.000Z',
};

export const personalTokenOperations: Operation[] = [
  {
    id: 'createPersonalToken',
    method: 'post',
    path: paths.personalTokens,
    tag: 'Personal access tokens',
    summary: 'Create a personal access token',
    description:
      'The `token` is returned only in this response. It has the permissions that its user has at the time of use. It cannot create other tokens.',
    auth: 'bearer',
    body: {
      type: 'application/json',
      schema: PersonalTokenInput,
      example: { name: 'CI', expires_at: '2027-11-20T00:00:00.000Z' },
    },
    responses: {
      201: {
        description: 'The token.',
        body: { schema: NewPersonalToken, example: { ...tokenExample, token: 'pat_b25seSBhbiBleGFtcGxl' } },
      },
    },
    problems: ['conflict'],
  },
  {
    id: 'listPersonalTokens',
    method: 'get',
    path: paths.personalTokens,
    tag: 'Personal access tokens',
    summary: 'List your personal access tokens',
    auth: 'bearer',
    query: PageQuery,
    responses: {
      200: {
        description: 'A page of tokens.',
        body: { schema: PersonalTokenPage, example: pageExample(tokenExample) },
      },
    },
  },
  {
    id: 'deletePersonalToken',
    method: 'delete',
    path: paths.personalToken,
    tag: 'Personal access tokens',
    summary: 'Delete a personal access token',
    description: 'The token is rejected immediately.',
    auth: 'bearer',
    parameters: { id: { description: 'Id of the token.', problem: 'token_not_found' } },
    responses: { 204: { description: 'The token is deleted.', body: null } },
  },
];
