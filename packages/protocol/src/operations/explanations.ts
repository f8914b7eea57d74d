import { Explanation, ExplanationQuery, ExplanationRequested } from '../explanation.ts';
import { paths } from '../paths.ts';
import type { Operation, PathParameter } from './operation.ts';

const inGroup = {
  group_id: { description: 'Id of the error group.', problem: 'group_not_found' },
} as const satisfies Record<string, PathParameter>;

const requestedExample: ExplanationRequested = {
  status: 'pending',
  error_group_id: 7,
  requested_at: '2026-11-20T11:15:00.000Z',
};

const explanationExample: Explanation = {
  status: 'ready',
  error_group_id: 7,
  summary: '## What happened\n\nThe cart was undefined when `checkout` read its items.',
  model: 'built-in',
  requested_at: '2026-11-20T11:15:00.000Z',
  generated_at: '2026-11-20T11:15:08.000Z',
  error: null,
};

export const explanationOperations: Operation[] = [
  {
    id: 'explainGroup',
    method: 'post',
    path: paths.aiSummary,
    tag: 'AI explanations',
    summary: 'Have a group explained',
    description: [
      'It takes 10 to 15 seconds, and one unit of the AI quota; one that fails gives its unit back. One at a time: while it is pending, another request is 409.',
      'Without a provider of the operator the server explains by rules of its own, and says only what follows from the report.',
    ].join('\n\n'),
    auth: 'bearer',
    role: 'member',
    parameters: inGroup,
    answers: {
      202: { description: 'It is being made.', body: { schema: ExplanationRequested, example: requestedExample } },
    },
    problems: ['generation_in_progress', 'ai_quota_exhausted'],
  },
  {
    id: 'getExplanation',
    method: 'get',
    path: paths.aiSummary,
    tag: 'AI explanations',
    summary: 'Get the explanation of a group',
    description:
      'Takes no quota. With `receipt=true` it tells in `sent` exactly what went to the provider: scrubbed, and null if nothing left the server.',
    auth: 'bearer',
    parameters: inGroup,
    query: ExplanationQuery,
    answers: { 200: { description: 'The explanation.', body: { schema: Explanation, example: explanationExample } } },
    problems: ['summary_not_found'],
  },
];
