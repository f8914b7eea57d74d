import { truncate } from '../text/truncate.ts';
import { browserCall, isCertainlyEngine, isDomException, isEngineType } from './engine-type.ts';
import type { ErrorKind } from './error-kind.ts';
import { packageOf } from './file-path.ts';
import { protectWrittenWords } from './protected-digits.ts';
import { isMinifiedName } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import type { GroupingVersion } from './grouping-version.ts';
import { expectedIssue, validationIssues } from './validation-issues.ts';
import { messageTemplate } from './message-template.ts';
import { destructuredProperty, isWordNear, throwsItself } from './source-line.ts';
import { lacksWords } from './lacks-words.ts';
import { passedKey, thrownKey } from './text-key.ts';
import { writtenTemplate, writtenTemplateV1 } from './written-template.ts';

/** The number of frames whose source is searched: the throwing one, and callers that may have passed a text to it. */
const maxSearchedFrames = 4;

const maxStatusChars = 400;

/** The class of an error, if known, and its message without the class. */
export interface Wording {
  type: string | null;
  message: string;
  /** The kind, if the message is an engine's. */
  kind: ErrorKind | null;
  /** The issues of a validation library, if they alone identify the bug. */
  issues: string | null;
  /** The version of the rules. */
  version: GroupingVersion;
}

/**
 * Returns the component that is made from class and message, by who wrote the message. An engine's message differs
 * between browsers and quotes values. A library's message changes with its version. Only the app's own message is
 * stable. `calls` are the frames of the stack, top first.
 */
export function textPart(wording: Wording, calls: readonly GroupedFrame[]): string {
  const { type, message, kind, version } = wording;
  const top = calls[0] ?? null;
  const issues = wording.issues ?? validationIssues(message) ?? (version === 1 ? null : expectedIssue(message));
  // The class is left out: it is the library's, with another name in each build.
  if (issues !== null) return version === 1 ? withType(type, issues) : issues;
  const library = top !== null && !top.in_app ? packageOf(top.file ?? '') : null;
  if (library !== null) return `${type ?? 'error'} in ${library}${version === 1 ? '' : statusText(message)}`;
  if (version > 1 && type === 'AggregateError' && (message === '' || kind?.kind === 'all-rejected'))
    return 'all-rejected';
  // An app that throws a DOMException leaves a stack, so a browser threw this one.
  if (version > 1 && top === null && type !== null && isDomException(type)) return type;

  // The source, if known, shows whether the app wrote the message. Otherwise the wording decides; the default is the
  // app.
  const isThrownHere = top && throwsItself(top);
  if (kind !== null && isEngineMessage(kind, type) && !(kind.uncommon && isThrownHere !== null))
    return version === 1 ? kindText(kind, message, top) : faultText(wording, kind, top);
  if (type !== null && isThrownHere !== null && isEngineType(type) && !isThrownHere) return type;
  if (type !== null && isThrownHere === null && isCertainlyEngine(type, message)) return withCall(type, message);

  const written = top && (version === 1 ? writtenTemplateV1 : writtenTemplate)(message, top, calls.slice(1));
  if (version > 1 && top && isThrownHere === true && written === null && lacksWords(top, message)) {
    const key = thrownKey(top) ?? passedKey(calls[1]);
    if (key !== null) return key;
  }
  const text = messageTemplate(protectWrittenWords(written ?? message, calls.slice(0, maxSearchedFrames)));
  return version > 1 && isThrownHere === true && hasEnoughWords(text) ? text : withType(type, text);
}

/**
 * The location and this many words identify a bug without its class. A class is renamed, or has the name of the build.
 */
const enoughWords = 2;

function hasEnoughWords(template: string): boolean {
  const words = template.replaceAll(/<[\w:-]+>/g, ' ').match(/\p{L}{3,}/gu);
  return words !== null && words.length >= enoughWords;
}

/** Returns the status of a failed request. Libraries word it alike, and each status is another fault. */
function statusText(message: string): string {
  const status = /\bstatus code (\d{3})\b/.exec(truncate(message, maxStatusChars))?.[1];
  return status === undefined ? '' : `, status code ${status}`;
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

/**
 * Kinds of TypeErrors that engines confuse with each other, and with faults that have no kind: of `const [a] = rows`,
 * one says that `rows` is not iterable, another that it is undefined. Without a name, the location identifies the
 * fault.
 */
const confusedKinds = new Set(['nullish', 'nullish:destructure', 'not-iterable', 'read-only', 'not-extensible']);

/** Returns the fault that an engine reports, with the name of the property or function. */
function faultText({ type, message }: Wording, { kind, name }: ErrorKind, top: GroupedFrame | null): string {
  const hasSource = top !== null && top.context.length > 0;
  const known = name !== null && isDeveloperName(name, kind, message, top) ? name : null;
  const isDestructuring = kind === 'nullish:destructure';
  if (!hasSource) return known === null || isDestructuring ? kind : `${kind}:${known}`;
  const property = known ?? (isDestructuring ? destructuredProperty(top) : null);
  if (property !== null) return `${isDestructuring ? 'nullish' : kind}:${property}`;
  return type === 'TypeError' && confusedKinds.has(kind) ? type : kind;
}

/** Works like `faultText` by the rules of version 1. */
function kindText({ kind, name }: ErrorKind, message: string, top: GroupedFrame | null): string {
  if (kind === 'nullish:destructure') return kind;
  const included = name !== null && isDeveloperName(name, kind, message, top) ? name : null;
  return included === null ? kind : `${kind}:${included}`;
}

/**
 * Returns whether a name is the developer's and so part of the component: not a value (`rows[user]`), an index, or a
 * variable that a minifier renamed.
 */
function isDeveloperName(name: string, kind: string, message: string, top: GroupedFrame | null): boolean {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return false;
  const isVariable = kind !== 'not-defined' && message.startsWith(`${name} `);
  if (isVariable && isMinifiedName(name)) return false;
  return top === null || isWordNear(name, top);
}
