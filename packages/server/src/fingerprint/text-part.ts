import { browserCall, isCertainlyEngine, isEngineType } from './engine-type.ts';
import type { ErrorKind } from './error-kind.ts';
import { packageOf } from './file-path.ts';
import { protectWrittenWords } from './protected-digits.ts';
import { isMinifiedName } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { validationIssues } from './validation-issues.ts';
import { messageTemplate } from './message-template.ts';
import { isWordNear, throwsItself } from './source-line.ts';
import { writtenTemplate } from './written-template.ts';

/** The place and those from which its words may have been passed on. */
const framesSearched = 4;

/** An error in words: its class, if any is known, and its message without it. */
export interface Wording {
  type: string | null;
  message: string;
  /** What the message says, if an engine words it like this. */
  kind: ErrorKind | null;
}

/**
 * The part of the key that comes from the error's words. Who spoke decides: the words of an engine differ from browser
 * to browser and quote values, those of a library change with its version, those of the app are its developers' own.
 * `calls` are those of the stack, top first.
 */
export function textPart(wording: Wording, calls: readonly GroupedFrame[]): string {
  const { type, message, kind } = wording;
  const top = calls[0] ?? null;
  const issues = validationIssues(message);
  if (issues !== null) return withType(type, issues);
  const library = top !== null && !top.in_app ? packageOf(top.file ?? '') : null;
  if (library !== null) return `${type ?? 'error'} in ${library}`;

  // Where the source is known it decides who spoke; else the words do, and in doubt it was the app.
  const thrown = top && throwsItself(top);
  if (kind !== null && isEngineMessage(kind, type) && !(kind.uncommon && thrown !== null))
    return kindText(kind, message, top);
  if (type !== null && thrown !== null && isEngineType(type) && !thrown) return type;
  if (type !== null && thrown === null && isCertainlyEngine(type, message)) return withCall(type, message);

  const written = top && writtenTemplate(message, top, calls.slice(1));
  return withType(type, messageTemplate(protectWrittenWords(written ?? message, calls.slice(0, framesSearched))));
}

function withType(type: string | null, text: string): string {
  return type === null ? text : `${type}: ${text}`;
}

/** Of what was called with something wrong all browsers tell the name, but only in their TypeErrors. */
function withCall(type: string, message: string): string {
  const call = type === 'TypeError' ? browserCall(message) : null;
  return call === null ? type : `${type} in ${call}`;
}

/** Apps pass the sentence of an engine on in a bare Error. A class of their own, or none, means words of their own. */
function isEngineMessage(kind: ErrorKind, type: string | null): boolean {
  return type !== null && (isEngineType(type) || (type === 'Error' && !kind.ambiguous));
}

function kindText({ kind, name }: ErrorKind, message: string, top: GroupedFrame | null): string {
  const kept = name !== null && isDeveloperName(name, kind, message, top) ? name : null;
  return kept === null ? kind : `${kind}:${kept}`;
}

/** A name enters the key unless it is a value (`rows[user]`), an index, or a variable that a minifier renamed. */
function isDeveloperName(name: string, kind: string, message: string, top: GroupedFrame | null): boolean {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false;
  const isVariable = kind !== 'not-defined' && message.startsWith(`${name} `);
  if (isVariable && isMinifiedName(name)) return false;
  return top === null || isWordNear(name, top);
}
