import { truncate } from '../text/truncate.ts';

/** Longer messages are not parsed: truncated ones are not JSON. */
const maxIssuesChars = 16_384;
const maxPaths = 5;
const maxPartChars = 100;

interface Issue {
  path: unknown[];
}

/**
 * Returns the paths that a validation library complains about, or null for any other message. Such a message is a JSON
 * list of issues, each with a path. The paths identify the bug; codes and texts change with the version of the library.
 */
export function validationIssues(message: string): string | null {
  if (!/^\s*\[\s*\{/.test(message) || message.length > maxIssuesChars) return null;
  const issues = readIssues(message);
  if (issues === null) return null;
  const paths = new Set(issues.map(({ path }) => pathText(path)));
  return `<issues> ${[...paths].toSorted().slice(0, maxPaths).join(', ')}`;
}

function readIssues(message: string): Issue[] | null {
  try {
    const value = JSON.parse(message) as unknown[];
    return value.every(isIssue) ? value : null;
  } catch {
    // The text is not JSON, or truncated JSON.
    return null;
  }
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'path' in value && Array.isArray(value.path);
}

/** Returns a path such as `rows.<n>.price`. The row is random. */
function pathText(path: readonly unknown[]): string {
  return (
    path
      .map((part) =>
        typeof part === 'string' && !/^\d+$/.test(part) ? truncate(part, maxPartChars).toWellFormed() : '<n>',
      )
      .join('.') || '.'
  );
}
