import type { Frame, ReportDetails } from '@service/protocol';

/** A cause of an error as explanations show it: `Caused by: shop.StorageError: no connection`. Not scrubbed yet. */
interface CauseText {
  text: string;
  /** Top first. Empty if the cause is read from a stack in text form. */
  frames: readonly Frame[];
}

const prefixes = { cause: 'Caused by', context: 'Raised while handling', member: 'Member of the group' };

/** Returns the causes of an error, the root cause last, then the members of a group of errors. */
export function causesOf({ exceptions, causes, stacktrace }: ReportDetails): CauseText[] {
  if (exceptions === null) {
    const lines = (stacktrace ?? '').split('\n').filter((line) => line.startsWith(`${prefixes.cause}: `));
    return lines.map((text) => ({ text, frames: [] }));
  }
  return causes.map(({ type, message, relation, frames }) => ({
    text: `${prefixes[relation ?? 'cause']}: ${[type, message].filter(Boolean).join(': ')}`,
    frames,
  }));
}

/** Returns the text of the root cause without its prefix, or undefined if the error has no cause. */
export function rootCauseOf(report: ReportDetails): string | undefined {
  const root = causesOf(report).findLast(({ text }) => !text.startsWith(`${prefixes.member}: `));
  return root?.text.slice(root.text.indexOf(': ') + 2);
}
