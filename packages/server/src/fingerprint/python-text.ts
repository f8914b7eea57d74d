import type { Wording } from './text-part.ts';
import type { Calls } from './calls.ts';
import { packageOf } from './file-path.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { messageTemplate } from './message-template.ts';
import { lineOf } from './source-line.ts';
import { exceptionClass, isBuiltinClass } from './python-class.ts';
import { complaintOf, messageNames, withoutVersion } from './python-message.ts';
import { raisedTemplate, statementAt } from './python-raise.ts';
import { literalsOf } from './python-literals.ts';

const installed = /(?:site|dist)-packages[/\\]/;
const raising = /(?:^|[\s;:])raise\b(?:\s+([\w.]{1,200}))?/;
const asserting = /^\s*assert\b/;
/** Errors of databases, which word their messages alike in all versions of Python. */
const databaseClass = /^(?:Integrity|Operational|Data)Error$/;
const attributeLookup = /(?:^|\.)__(?:get|getattr|getattribute)__$/;
const maxDeveloperNames = 3;
/** The number of frames whose lines are searched: the one that failed, and callers that may have passed a text. */
const maxSearchedPythonFrames = 3;

/** The class of an exception and its message. */
export type PythonWording = Pick<Wording, 'type' | 'message'>;

/**
 * Returns the component that is made from class and message of a Python error, by who wrote the message. If the app's
 * own `raise` is at the top of the stack, its literals are the message, and the rest are values. Otherwise the
 * interpreter, or a library, wrote the message: its wording differs between versions, but the names in it that are also
 * in the source line are the developer's.
 */
export function pythonText({ type, message }: PythonWording, { all, own }: Calls): string {
  const name = type === null ? null : exceptionClass(type);
  const [top] = all;
  const caller = own[0];
  if (top && !top.in_app && installed.test(top.file ?? '')) return `${name ?? 'error'} in ${packageOf(top.file ?? '')}`;

  const statement = caller && statementAt(caller);
  if (!caller || statement === null || statement === undefined) return withClass(name, messageWithoutSource(message));
  if (top === caller && raisesItself(statement, name)) return raisedText(name, message, statement, own.slice(1));
  if (name === null || databaseClass.test(name)) return withClass(name, messageTemplate(message));
  const names = developerNames(name, message, own);
  return withClass(name, [complaintOf(message), ...names].filter((part) => part !== null).join(', '));
}

/** Returns whether a statement raises this class. `raise OutOfStock(product.nmae)` does not raise an AttributeError. */
export function raisesItself(statement: string, name: string | null): boolean {
  if (asserting.test(statement)) return name === 'AssertionError';
  const found = raising.exec(statement);
  if (found === null) return false;
  const raised = found[1] === undefined ? null : exceptionClass(found[1]);
  // A variable, a function or a subclass may have any name.
  return raised === null || name === null || raised === name || !isBuiltinClass(name) || !/^\p{Lu}/u.test(raised);
}

/** Returns the text of an error that the app raises. The message may also be made in the class, or by a caller. */
function raisedText(name: string | null, message: string, statement: string, callers: readonly GroupedFrame[]): string {
  const template = raisedTemplate(message, statement, callers);
  if (template !== null) return withClass(name, template);
  const isMadeInClass = name !== null && !isBuiltinClass(name);
  return isMadeInClass ? name : withClass(name, messageTemplate(message));
}

/**
 * Returns the names of a message that are in the source line, or that a caller quotes in its line. If a method that
 * looks up attributes failed, the calling line has the name as an attribute.
 */
function developerNames(name: string, message: string, own: readonly GroupedFrame[]): string[] {
  const [top = '', ...callers] = own.slice(0, maxSearchedPythonFrames).map((frame) => lineOf(frame) ?? '');
  const quoted = new Set(callers.flatMap((line) => literalsOf(line).flat()));
  const accessed = attributeLookup.test(own[0]?.function ?? '') ? (callers[0] ?? '') : '';
  const written = messageNames(message).filter(({ text, isQuoted }) => {
    // A missing key is quoted in the code. An unquoted word is a variable that happens to have the name of its value.
    const isNear = name === 'KeyError' ? isKeyIn(text, top) : isWordIn(text, top);
    return isNear || (isQuoted && (quoted.has(text) || isAttributeIn(text, accessed)));
  });
  return [...new Set(written.map(({ text }) => text))].toSorted().slice(0, maxDeveloperNames);
}

function isKeyIn(word: string, line: string): boolean {
  return line.includes(`'${word}'`) || line.includes(`"${word}"`);
}

function isAttributeIn(word: string, line: string): boolean {
  return new RegExp(`\\.${word}(?![\\p{L}\\p{N}_])`, 'u').test(line);
}

function isWordIn(word: string, line: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'u').test(line);
}

/** Returns the template of a message that the app, a library or the interpreter may have written. */
function messageWithoutSource(message: string): string {
  const named = /has no attribute '(\w+)'|name '(\w+)' is not defined|variable '(\w+)'/.exec(message);
  return named?.slice(1).find((name) => name !== undefined) ?? messageTemplate(withoutVersion(message));
}

function withClass(name: string | null, text: string): string {
  if (name === null) return text;
  return text === '' ? name : `${name}: ${text}`;
}
