import { authenticationRows } from './rows/authentication.ts';
import { billingRows } from './rows/billing.ts';
import { conventionRows } from './rows/conventions.ts';
import { corsRows } from './rows/cors.ts';
import { errorRows } from './rows/errors.ts';
import { explanationRows } from './rows/explanations.ts';
import { notificationRows } from './rows/notifications.ts';
import { problemRows } from './rows/problems.ts';
import { programRows } from './rows/program.ts';
import { projectRows } from './rows/projects.ts';
import { streamRows } from './rows/stream.ts';

/** Every statement of the contract, under a name that tests prove it by. */
export const rows = {
  ...conventionRows,
  ...problemRows,
  ...authenticationRows,
  ...projectRows,
  ...errorRows,
  ...explanationRows,
  ...notificationRows,
  ...billingRows,
  ...corsRows,
  ...programRows,
  ...streamRows,
} as const;

export type RowId = keyof typeof rows;
