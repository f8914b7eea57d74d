import * as z from 'zod';
import { Plan, Usage } from '../billing.ts';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';

const planExamples: Plan[] = [
  { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 10_000, ai_quota: 20 },
  { id: 'team', name: 'Team', price: 2_900, currency: 'EUR', error_quota: 1_000_000, ai_quota: null },
];

const usageExample: Usage = {
  plan: 'free',
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  errors: { used: 10_000, quota: 10_000, refused: 42, refused_since: '2026-11-20T12:03:00.000Z' },
  ai: { used: 3, quota: 20 },
};

export const billingOperations: Operation[] = [
  {
    id: 'listPlans',
    method: 'get',
    path: paths.plans,
    tag: 'Plans and usage',
    summary: 'List the plans there are',
    description: 'A plain array. A quota of null is unlimited.',
    auth: 'bearer',
    answers: { 200: { description: 'All plans.', body: { schema: z.array(Plan), example: planExamples } } },
  },
  {
    id: 'getUsage',
    method: 'get',
    path: paths.usage,
    tag: 'Plans and usage',
    summary: 'Get what the team has used this month',
    description: 'A period is a calendar month in UTC. With another plan what was used stays used.',
    auth: 'bearer',
    answers: { 200: { description: 'The current period.', body: { schema: Usage, example: usageExample } } },
  },
];
