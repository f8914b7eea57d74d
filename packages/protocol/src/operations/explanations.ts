import { Explanation, ExplanationQuery, ExplanationRequested } from '../explanation.ts';
import { paths } from '../paths.ts';
import { noInput } from './no-input.ts';
import type { Operation } from './operation.ts';
import { groupParameters } from './path-parameters.ts';

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
    summary: 'Request an explanation of a group',
    description: [
      'With an AI provider, generation usually takes 10 to 15 seconds. It uses one unit of the AI quota. A failed generation returns its unit. While a generation is pending, another request is rejected with 409.',
      'If the operator has configured no AI provider, the server generates the explanation with built-in rules, from the report alone.',
    ].join('\n\n'),
    auth: 'bearer',
    role: 'member',
    parameters: groupParameters,
    body: noInput,
    responses: {
      202: {
        description: 'Generation has started.',
        body: { schema: ExplanationRequested, example: requestedExample },
      },
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
      'Does not use the AI quota. With `receipt=true`, `sent` is the exact scrubbed text that was sent to the provider, or null if nothing left the server.',
    auth: 'bearer',
    parameters: groupParameters,
    query: ExplanationQuery,
    responses: { 200: { description: 'The explanation.', body: { schema: Explanation, example: explanationExample } } },
    problems: ['summary_not_found'],
  },
];
