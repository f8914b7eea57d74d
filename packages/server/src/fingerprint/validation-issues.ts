import { truncate } from '../text/truncate.ts';

/** Longer ones are no message for people, nor cut ones. */
const maxMessageChars = 16_384;
const maxPaths = 5;
const maxPartChars = 100;

interface Issue {
  path: unknown[];
}

/**
 * Libraries that check data say in JSON what they object to, a list of issues with the path of each. Where the data is
 * wrong is the bug: codes and sentences are the library's, and change with its version. Null for every other message.
 */
export function validationIssues(message: string): string | null {
  if (!/^\s*\[\s*\{/.test(message) || message.length > maxMessageChars) return null;
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
    // It only began like JSON, or was cut.
    return null;
  }
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'path' in value && Array.isArray(value.path);
}

/** `rows.<n>.price`: which row it was is chance. */
function pathText(path: readonly unknown[]): string {
  return (
    path
      .map((part) =>
        typeof part === 'string' && !/^\d+$/.test(part) ? truncate(part, maxPartChars).toWellFormed() : '<n>',
      )
      .join('.') || '.'
  );
}
