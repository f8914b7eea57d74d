import { authenticationRequirements } from './requirements/authentication.ts';
import { billingRequirements } from './requirements/billing.ts';
import { conventionRequirements } from './requirements/conventions.ts';
import { corsRequirements } from './requirements/cors.ts';
import { errorRequirements } from './requirements/errors.ts';
import { explanationRequirements } from './requirements/explanations.ts';
import { notificationRequirements } from './requirements/notifications.ts';
import { problemRequirements } from './requirements/problems.ts';
import { programRequirements } from './requirements/program.ts';
import { projectRequirements } from './requirements/projects.ts';
import { streamRequirements } from './requirements/stream.ts';

/** Every requirement of the contract by its id, which the tests that cover it name. */
export const requirements = {
  ...conventionRequirements,
  ...problemRequirements,
  ...authenticationRequirements,
  ...projectRequirements,
  ...errorRequirements,
  ...explanationRequirements,
  ...notificationRequirements,
  ...billingRequirements,
  ...corsRequirements,
  ...programRequirements,
  ...streamRequirements,
} as const;

export type RequirementId = keyof typeof requirements;
