import type { FieldProblem } from '@service/protocol';
import { locateEntry } from './list-entries.ts';

/** Form fields by the field path of the request, where their names differ. */
export type FieldNames = Readonly<Record<string, string>>;

const maxEntryChars = 80;
let lastId = 0;

/**
 * Shows under each rejected field its `data-expected` text, and its invalid entries if it takes several. Focuses the
 * first of these fields. Returns the problems that belong to no field of the form.
 */
export function showFieldProblems(
  form: HTMLFormElement,
  problems: readonly FieldProblem[],
  names: FieldNames,
): FieldProblem[] {
  const invalidEntries = new Map<HTMLInputElement | HTMLTextAreaElement, string[]>();
  const others: FieldProblem[] = [];
  for (const problem of problems) {
    const [, path = '', index] = /^(.*?)(?:\.(\d+))?$/.exec(problem.path) ?? [];
    const field = form.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      `[name="${CSS.escape(names[path] ?? path)}"]`,
    );
    if (!field?.dataset.expected) {
      others.push(problem);
      continue;
    }
    const position = index === undefined ? null : locateEntry(field.value, Number(index));
    const entries = invalidEntries.get(field) ?? [];
    invalidEntries.set(field, entries);
    if (!position) continue;
    if (entries.length === 0) select(field, position);
    entries.push(quoteEntry(field, position));
  }
  for (const [field, entries] of invalidEntries)
    showProblem(field, `${entries.join(', ')}${entries.length > 0 ? ': ' : ''}${field.dataset.expected}`);
  invalidEntries.keys().next().value?.focus();
  return others;
}

export function clearFieldProblems(form: HTMLFormElement): void {
  for (const problem of form.querySelectorAll('.problem[id]')) problem.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
}

function showProblem(field: HTMLElement, text: string): void {
  const problem = document.createElement('p');
  problem.id = `problem-${++lastId}`;
  problem.className = 'problem';
  problem.textContent = text;
  (field.closest('label') ?? field).after(problem);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', problem.id);
}

type Position = NonNullable<ReturnType<typeof locateEntry>>;

function quoteEntry(field: HTMLInputElement | HTMLTextAreaElement, { start, end, line }: Position): string {
  const entry = `“${field.value.slice(start, end).slice(0, maxEntryChars)}”`;
  return field instanceof HTMLTextAreaElement ? `${entry} (line ${line})` : entry;
}

/** Selects the first invalid entry. Inputs of type email or url support no selection. */
function select(field: HTMLInputElement | HTMLTextAreaElement, { start, end }: Position): void {
  if (field instanceof HTMLTextAreaElement || field.type === 'text') field.setSelectionRange(start, end);
}
