import * as z from 'zod';
import { Plan } from '../billing.ts';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';

const planExamples: Plan[] = [
  { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 10_000, ai_quota: 20 },
  { id: 'team', name: 'Team', price: 2_900, currency: 'EUR', error_quota: 1_000_000, ai_quota: null },
];

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
];
