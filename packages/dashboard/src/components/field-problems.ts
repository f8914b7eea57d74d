import type { FieldProblem } from '@service/protocol';
import { entryAt } from './list-entries.ts';

/** Which field of a form a field of the request comes from, where their names differ. */
export type FieldNames = Record<string, string>;

const entryChars = 80;
let notes = 0;

/**
 * Writes under each field its wrong entries, if it has several, and what is expected of it, in the words of its
 * `data-expected`. Focuses the first field. Returns the problems that belong to no field of the form.
 */
export function showFieldProblems(
  form: HTMLFormElement,
  problems: readonly FieldProblem[],
  names: FieldNames,
): FieldProblem[] {
  const wrongEntries = new Map<HTMLInputElement | HTMLTextAreaElement, string[]>();
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
    const place = index === undefined ? null : entryAt(field.value, Number(index));
    const entries = wrongEntries.get(field) ?? [];
    wrongEntries.set(field, entries);
    if (!place) continue;
    if (entries.length === 0) select(field, place);
    entries.push(describeEntry(field, place));
  }
  for (const [field, entries] of wrongEntries)
    note(field, `${entries.join(', ')}${entries.length > 0 ? ': ' : ''}${field.dataset.expected}`);
  wrongEntries.keys().next().value?.focus();
  return others;
}

export function clearFieldProblems(form: HTMLFormElement): void {
  for (const written of form.querySelectorAll('.problem[id]')) written.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
}

function note(field: HTMLElement, text: string): void {
  const written = document.createElement('p');
  written.id = `problem-${++notes}`;
  written.className = 'problem';
  written.textContent = text;
  (field.closest('label') ?? field).after(written);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', written.id);
}

type Place = NonNullable<ReturnType<typeof entryAt>>;

function describeEntry(field: HTMLInputElement | HTMLTextAreaElement, { start, end, line }: Place): string {
  const entry = `“${field.value.slice(start, end).slice(0, entryChars)}”`;
  return field instanceof HTMLTextAreaElement ? `${entry} (line ${line})` : entry;
}

/** Shows the first wrong entry as if the user had marked it. Some types of fields know no selection. */
function select(field: HTMLInputElement | HTMLTextAreaElement, { start, end }: Place): void {
  if (field instanceof HTMLTextAreaElement || field.type === 'text') field.setSelectionRange(start, end);
}
