import { ErrorReport } from '@service/protocol';
import { fieldProblems, isRecord, isTextOrAbsent, validationFailed } from '../validation/validation.ts';

/** Throws `validation_failed` if a specified field has a wrong type, or if the report has neither message nor stack. */
export function assertReportFields(body: Record<string, unknown>): void {
  // Checking by hand is fast. zod only describes the invalid fields.
  const areTypesRight =
    isTextOrAbsent(body.message) &&
    isTextOrAbsent(body.stacktrace) &&
    isTextOrAbsent(body.environment) &&
    isTextOrAbsent(body.release) &&
    isTextOrAbsent(body.url) &&
    isTextOrAbsent(body.user_agent) &&
    (body.metadata === undefined || body.metadata === null || isRecord(body.metadata)) &&
    (body.breadcrumbs === undefined || body.breadcrumbs === null || Array.isArray(body.breadcrumbs));
  if (!areTypesRight) throw validationFailed(fieldProblems(ErrorReport.safeParse(body)));
  if (isBlank(body.message) && isBlank(body.stacktrace)) {
    throw validationFailed([{ path: 'message', detail: 'expected some text here or in stacktrace' }]);
  }
}

/** Returns whether a value has no text at all. */
export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}
