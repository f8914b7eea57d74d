import { errorKind } from '../fingerprint/error-kind.ts';
import { isEngineType } from '../fingerprint/engine-type.ts';
import { bareName } from '../fingerprint/function-name.ts';
import { messageTemplate } from '../fingerprint/message-template.ts';
import { openingParenthesis } from '../text/opening-parenthesis.ts';
import { readablePath } from '../text/readable-path.ts';
import type { ErrorGroup, SimilarityReason } from '@service/protocol';

/** The facts of a group that lists show. */
export type ListedFacts = Pick<ErrorGroup, 'type' | 'message' | 'culprit'>;

/** The facts by which two groups are compared. */
interface Subject {
  /** The kind and the property, if an engine wrote the message. */
  fault: string | null;
  /** True if the fault has a name, such as that of a property. */
  isNamed: boolean;
  template: string;
  words: ReadonlySet<string>;
  file: string | null;
  function: string | null;
  culprit: string | null;
}

/** With fewer words in common, two messages may match by chance. */
const minSharedWords = 3;
/** Two messages that share this part of the words of the longer one count as one message, reworded. */
const rewordedShare = 0.5;

/**
 * Returns why two groups may be the same bug, or null. A faulty line may move within its file, or with its function to
 * another file. A reworded message stays in its function.
 */
export function similarityOf(one: ListedFacts, other: ListedFacts): SimilarityReason | null {
  const [a, b] = [subjectOf(one), subjectOf(other)];
  const isSameFunction = a.function !== null && a.function === b.function;
  const isSameFile = a.file !== null && a.file === b.file;
  if (isSameFault(a, b)) {
    if (isSameFunction) return 'fault';
    return isSameFile && (a.isNamed || a.words.size >= minSharedWords) ? 'fault' : null;
  }
  return a.culprit !== null && a.culprit === b.culprit && isReworded(a, b) ? 'location' : null;
}

/** Returns the searches that find the groups that may be similar. Empty if there is nothing to search for. */
export function similaritySearches(facts: ListedFacts): string[] {
  const { template, function: name, file } = subjectOf(facts);
  const longest = templateWords(template)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 3);
  return [
    name ?? file?.slice(file.lastIndexOf('/') + 1),
    longest.length >= minSharedWords ? longest.join(' ') : undefined,
  ].filter((search): search is string => search !== undefined && search !== '');
}

function isSameFault(a: Subject, b: Subject): boolean {
  if (a.fault !== null || b.fault !== null) return a.fault === b.fault;
  return a.template === b.template && a.words.size >= 2;
}

function isReworded(a: Subject, b: Subject): boolean {
  if (a.fault !== null || b.fault !== null) return false;
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  return shared >= minSharedWords && shared >= rewordedShare * Math.max(a.words.size, b.words.size);
}

function subjectOf({ type, message, culprit: stored }: ListedFacts): Subject {
  // Culprits of groups from earlier versions contain encoded paths.
  const culprit = stored === null ? null : readablePath(stored);
  const kind = type === null || !isEngineType(type) ? null : errorKind(message);
  const template = messageTemplate(message);
  const { name, file } = partsOf(culprit);
  return {
    fault: kind && `${kind.kind}:${kind.name ?? ''}`,
    isNamed: (kind?.name ?? null) !== null,
    template,
    words: new Set(templateWords(template)),
    file,
    function: bareName(name),
    culprit,
  };
}

/** Splits a culprit such as `checkout (src/cart.ts)`. Without a name, it is a file. */
function partsOf(culprit: string | null): { name: string | null; file: string | null } {
  const open = culprit?.endsWith(')') ? openingParenthesis(culprit) : -1;
  if (culprit === null || open < 2 || culprit[open - 1] !== ' ') return { name: null, file: culprit };
  return { name: culprit.slice(0, open - 1), file: culprit.slice(open + 1, -1) };
}

function templateWords(template: string): string[] {
  return (
    template
      .replaceAll(/<[\w:-]+>/g, ' ')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? []
  );
}
