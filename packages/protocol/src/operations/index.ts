import { authOperations } from './auth.ts';
import { billingOperations } from './billing.ts';
import { errorOperations } from './errors.ts';
import { explanationOperations } from './explanations.ts';
import { machineDescriptionOperations } from './machine-description.ts';
import { memberOperations } from './members.ts';
import { notificationOperations } from './notifications.ts';
import type { Operation } from './operation.ts';
import { originOperations } from './origins.ts';
import { personalTokenOperations } from './personal-tokens.ts';
import { projectOperations } from './projects.ts';
import { sourceMapOperations } from './source-maps.ts';
import { streamOperations } from './stream.ts';

/*
 * The whole API as a table, one row a call. The machine description and the pages about the API are made of it.
 * Only who describes the API imports this: what answers requests needs the schemas alone.
 */

export const operations: readonly Operation[] = [
  ...errorOperations,
  ...explanationOperations,
  ...projectOperations,
  ...streamOperations,
  ...sourceMapOperations,
  ...authOperations,
  ...personalTokenOperations,
  ...memberOperations,
  ...originOperations,
  ...notificationOperations,
  ...billingOperations,
  ...machineDescriptionOperations,
];

export * from './operation.ts';
export { problemTexts, type ProblemText } from './problem-texts.ts';
export { schemaTexts, type SchemaText } from './schema-texts.ts';
