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

/** The number of frames whose source is searched: the throwing one, and callers that may have passed a text to it. */
const framesSearched = 4;

/** The class of an error, if known, and its message without the class. */
export interface Wording {
  type: string | null;
  message: string;
  /** The kind, if the message is an engine's. */
  kind: ErrorKind | null;
}

/**
 * Returns the component that is made from class and message. It depends on who wrote the message. An engine's message
 * differs between browsers and quotes values. A library's message changes with its version. Only the app's own message
 * is stable. `calls` are the frames of the stack, top first.
 */
export function textPart(wording: Wording, calls: readonly GroupedFrame[]): string {
  const { type, message, kind } = wording;
  const top = calls[0] ?? null;
  const issues = validationIssues(message);
  if (issues !== null) return withType(type, issues);
  const library = top !== null && !top.in_app ? packageOf(top.file ?? '') : null;
  if (library !== null) return `${type ?? 'error'} in ${library}`;

  // The source, if known, shows whether the app wrote the message. Otherwise the wording decides; the default is the
  // app.
  const isThrownHere = top && throwsItself(top);
  if (kind !== null && isEngineMessage(kind, type) && !(kind.uncommon && isThrownHere !== null))
    return kindText(kind, message, top);
  if (type !== null && isThrownHere !== null && isEngineType(type) && !isThrownHere) return type;
  if (type !== null && isThrownHere === null && isCertainlyEngine(type, message)) return withCall(type, message);

  const written = top && writtenTemplate(message, top, calls.slice(1));
  return withType(type, messageTemplate(protectWrittenWords(written ?? message, calls.slice(0, framesSearched))));
}

function withType(type: string | null, text: string): string {
  return type === null ? text : `${type}: ${text}`;
}

/**
 * Adds the name of a browser function that was called with a wrong value. All browsers report it, but only in a
 * TypeError.
 */
function withCall(type: string, message: string): string {
  const call = type === 'TypeError' ? browserCall(message) : null;
  return call === null ? type : `${type} in ${call}`;
}

/**
 * Returns whether an engine wrote the message. Apps pass such messages on in a plain Error. With a class of the app, or
 * without a class, the app wrote the message.
 */
function isEngineMessage(kind: ErrorKind, type: string | null): boolean {
  return type !== null && (isEngineType(type) || (type === 'Error' && !kind.ambiguous));
}

function kindText({ kind, name }: ErrorKind, message: string, top: GroupedFrame | null): string {
  const included = name !== null && isDeveloperName(name, kind, message, top) ? name : null;
  return included === null ? kind : `${kind}:${included}`;
}

/**
 * Returns whether a name is part of the component. It is not if it is a value (`rows[user]`), an index, or a variable
 * that a minifier renamed.
 */
function isDeveloperName(name: string, kind: string, message: string, top: GroupedFrame | null): boolean {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false;
  const isVariable = kind !== 'not-defined' && message.startsWith(`${name} `);
  if (isVariable && isMinifiedName(name)) return false;
  return top === null || isWordNear(name, top);
}
