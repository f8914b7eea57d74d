import { authOperations } from './auth.ts';
import { billingOperations } from './billing.ts';
import { errorOperations } from './errors.ts';
import { explanationOperations } from './explanations.ts';
import { openApiOperations } from './openapi.ts';
import { memberOperations } from './members.ts';
import { notificationOperations } from './notifications.ts';
import type { Operation } from './operation.ts';
import { originOperations } from './origins.ts';
import { personalTokenOperations } from './personal-tokens.ts';
import { projectOperations } from './projects.ts';
import { sourceMapOperations } from './source-maps.ts';
import { streamOperations } from './stream.ts';

/*
 * The API as a table with one row per operation. The OpenAPI document and the API pages are generated from it.
 * Code that serves requests imports only the schemas, so that a server does not keep these texts in memory.
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
  ...openApiOperations,
];

export * from './operation.ts';
export { problemTexts } from './problem-texts.ts';
export { schemaTexts } from './schema-texts.ts';
