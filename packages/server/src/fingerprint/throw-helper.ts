import { escapeRegExp } from '../text/escape-regexp.ts';
import { truncate } from '../text/truncate.ts';
import { stableNameOf } from './frame-key.ts';
import { bareName, isGuardName } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import type { Wording } from './text-part.ts';
import { throwsItself } from './source-line.ts';
import { lacksWords } from './lacks-words.ts';
import { thrownKey } from './text-key.ts';
import { hasPassedWords } from './written-template.ts';

const maxCodeLineChars = 1_024;
/** The traps of a Proxy that read and write for all of its users. */
const trapName = /^(?:get|set|has|deleteProperty)$/;
const proxyCode =
  /\bnew Proxy\b|\bReflect\.\w|\bObject\.definePropert|\b(?:get|set|has|deleteProperty)\s*[(:]\s*\(?\s*(?:target|obj|_)/;
/** A function that a decorator puts around a method, or that wraps any other function. */
const wrapperCode = /\.(?:apply|call)\(\s*this\b|\bdescriptor\.value\s*=/;

/**
 * Returns whether this frame only throws errors for others, as `invariant(user, 'no user')` does. The key then
 * contains the calling frame too. A frame is such a helper if strings near the throw contain fewer than half of the
 * words of the message, or if its name or its source shows that it serves many callers.
 */
export function isThrowHelper(frame: GroupedFrame, wording: Wording, callers: readonly GroupedFrame[]): boolean {
  if (throwsItself(frame) !== true) return false;
  const { version, kind } = wording;
  // An engine threw this error. The `throw` near the line is another one.
  if (version > 1 && kind !== null) return false;
  if (lacksWords(frame, wording.message)) return version === 1 || thrownKey(frame) === null;
  if (version === 1) return false;
  // Words that the caller passed identify the error, also where an engine elided the frame of the caller.
  return servesCallers(frame, callers[0]) && !hasPassedWords(wording.message, frame, callers);
}

/** What the source of a frame says about its function. */
type HelperKind = 'helper' | 'check' | 'none';
/** By frame. A repeated stack has the same frame objects. */
const helperKinds = new WeakMap<GroupedFrame, HelperKind>();

/**
 * Returns whether a function throws for its callers. A function that only checks may have one caller. So it counts only
 * if that caller has a name: of callers without a name, engines report different ones.
 */
function servesCallers(frame: GroupedFrame, caller: GroupedFrame | undefined): boolean {
  let kind = helperKinds.get(frame);
  if (kind === undefined) helperKinds.set(frame, (kind = helperKindOf(frame)));
  return kind === 'helper' || (kind === 'check' && caller !== undefined && stableNameOf(caller) !== null);
}

function helperKindOf(frame: GroupedFrame): HelperKind {
  const name = bareName(frame.function) ?? '';
  if (isGuardName(name)) return 'helper';
  const code = frame.context.map(({ text }) => truncate(text, maxCodeLineChars)).join('\n');
  if (trapName.test(name)) return name === 'get' || proxyCode.test(code) ? 'helper' : 'none';
  // `descriptor.value`, to which a decorator assigns its function.
  if (name === '' || name === 'value') return wrapperCode.test(code) ? 'helper' : 'none';
  return isConditionAndThrow(frame, name) ? 'check' : 'none';
}

const maxLinesOfCheck = 3;
const conditionLine = /^\s*(?:if\s*\(|throw\b|\/\/|\*|\/\*)/;
const lineAfterThrow = /^\s*(?:[})\];,]*|return(?:\s+[\w$]+)?;?)\s*$/;

/** Returns whether a function has parameters and does nothing but check a condition and throw. */
function isConditionAndThrow({ line: at, context }: GroupedFrame, name: string): boolean {
  const frameAt = context.findIndex(({ line }) => line === at);
  const declaresIt = new RegExp(`(?<![.\\w$])${escapeRegExp(name)}\\s*(?:=\\s*)?(?:<[^>]{0,100}>)?\\(\\s*[\\w$({[]`);
  const from = Math.max(0, frameAt - maxLinesOfCheck);
  const header = context
    .slice(from, frameAt)
    .findLastIndex(({ text }) => declaresIt.test(truncate(text, maxCodeLineChars)));
  if (frameAt === -1 || header === -1) return false;
  const indent = indentation(context[from + header]?.text ?? '');
  const after = context.slice(frameAt + 1);
  const end = after.findIndex(({ text }) => text.trim().startsWith('}') && indentation(text) === indent);
  const before = context.slice(from + header + 1, frameAt + 1);
  return (
    end !== -1 &&
    before.every(({ text }) => conditionLine.test(text)) &&
    after.slice(0, end).every(({ text }) => lineAfterThrow.test(text))
  );
}

function indentation(text: string): number {
  return text.length - text.trimStart().length;
}
