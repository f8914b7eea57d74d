import { hasBundleName, isPython, normalizePath, withoutQuery } from './file-path.ts';
import { bareName, isMinifiedName } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import type { GroupingVersion } from './grouping-version.ts';
import { isInErrorClass, lineOf } from './source-line.ts';

/**
 * The part of a frame that is the same after releases and edits. Never its line, nor a name that a minifier generated.
 */
export interface FrameKey {
  file: string | null;
  function: string | null;
}

/** Callbacks at the end of a name. Code that is moved into a callback, to be timed or retried, keeps its key. */
const callbacks = /(?:\.?<anonymous>)+$/;
/** Minifiers write few, long lines. A license may precede them. */
const longLineColumn = 300;
const earlyLine = 100;
/** `new HttpError`, `HttpError`, `HttpError.constructor`; not `showError`. */
const errorConstructor = /(?:^|[ .])[A-Z][\w$]*(?:Error|Exception)(?:\.constructor)?$/;

/**
 * Returns the frames that can become a key, top first: those that have a file, were really called, and are below the
 * construction of the error. `constructors` frames at the top are known to construct it.
 */
export function callsOf(
  frames: readonly GroupedFrame[],
  constructors: number,
  version: GroupingVersion,
): readonly GroupedFrame[] {
  const below = frames.slice(constructors).filter(isInFile);
  const withFile = below.length > 0 ? below : frames.filter(isInFile);
  const calls = version === 1 ? withoutAwaiting(withFile) : beforeAwait(withFile);
  const first = calls.findIndex((frame) => !constructsError(frame));
  return first === -1 ? calls : calls.slice(first);
}

/**
 * Removes the frames that wait for the call, or have scheduled it, and their callers: engines report different ones. If
 * no frame of the app would be left, the callers stay, and only the frames that wait are removed. If all frames wait,
 * none is removed.
 */
function beforeAwait(frames: readonly GroupedFrame[]): readonly GroupedFrame[] {
  const first = frames.findIndex(({ raw }) => raw.async);
  if (first === -1) return frames;
  const sync = frames.slice(0, first);
  if (sync.some((frame) => frame.in_app)) return sync;
  return withoutAwaiting(frames);
}

function withoutAwaiting(frames: readonly GroupedFrame[]): readonly GroupedFrame[] {
  const called = frames.filter(({ raw }) => !raw.async);
  return called.length > 0 ? called : frames;
}

/** Returns whether a frame is in a file. Evaluated code is not: only V8 reports the file that evaluated it. */
export function isInFile({ file, raw }: GroupedFrame): boolean {
  return file !== null && raw.eval !== true;
}

/**
 * Removes the class from the calls of a class without `new`. JavaScriptCore reports the class as called; other engines
 * report only the caller.
 */
export function withoutCallee(calls: readonly GroupedFrame[]): readonly GroupedFrame[] {
  const [first, ...callers] = calls;
  const isClass = first !== undefined && /\bclass\b|\bconstructor\s*\(/.test(lineOf(first) ?? '');
  return isClass && callers.length > 0 ? callers : calls;
}

/**
 * Returns the key of a resolved frame: its original file, and its function if the name does not come from a minifier.
 */
export function sourceFrameKey(frame: GroupedFrame): FrameKey {
  const file = frame.oldestPath ?? normalizePath(frame.file ?? '');
  return { file, function: stableNameOf(frame)?.replace(callbacks, '') || null };
}

/**
 * Returns the key of a frame that was never minified, such as one of a development server. `page` is the result of
 * `pageAmong`.
 */
export function readableFrameKey(frame: GroupedFrame, page: string | null): FrameKey {
  let key = readableKeys.get(frame);
  if (!key) readableKeys.set(frame, (key = readFrameKey(frame)));
  return page !== null && key.url === page ? { file: '(page)', function: key.function } : key;
}

interface ReadableFrameKey extends FrameKey {
  url: string | null;
}

/** Keys by frame. A repeated stack has the same frame objects. */
const readableKeys = new WeakMap<GroupedFrame, ReadableFrameKey>();

function readFrameKey({ file, function: reported }: GroupedFrame): ReadableFrameKey {
  const name = bareName(reported);
  const url = urlOf(file);
  // A script without a file name is part of a page. Its URL does not matter.
  const isNameless = url !== null && !url.slice(url.lastIndexOf('/') + 1).includes('.');
  return {
    file: isNameless ? '(page)' : normalizePath(file ?? ''),
    function: name !== null && name.length < 3 && !isPython(file) ? null : name,
    url,
  };
}

/** Returns the URL of a file without its query, or null if the file cannot be a page. */
function urlOf(file: string | null): string | null {
  return file !== null && /^https?:/i.test(file) ? withoutQuery(file) : null;
}

/** Returns the distinct URLs of the frames' files. */
export function urlsOf(frames: readonly GroupedFrame[]): string[] {
  return [...new Set(frames.flatMap(({ file }) => urlOf(file) ?? []))];
}

/**
 * Returns the URL that belongs to the page. Inline scripts have the URL of their page, which may contain ids. Returns
 * null if no URL matches: then the page does not affect the keys.
 */
export function pageAmong(urls: readonly string[], page: string | null): string | null {
  return (page !== null && urls.find((url) => isPage(url, page))) || null;
}

function isPage(url: string, page: string): boolean {
  if (!page.startsWith(url)) return false;
  return page.length === url.length || page[url.length] === '?' || page[url.length] === '#';
}

/** Returns the function of a frame, or null if its name may change with the next build. */
export function stableNameOf(frame: GroupedFrame): string | null {
  if (frame.named) return frame.function;
  const name = bareName(frame.function);
  return name === null || (isMinifiedName(name) && !isPython(frame.file)) ? null : name;
}

/** A property by which a framework calls a function of the app. It differs between engines and framework versions. */
const internalName = /^__/;

/**
 * Returns the nearest name that is not minified, or null if the top four calls have none. In a bundle minifiers rename
 * most functions, but not methods.
 */
export function nearestName(calls: readonly GroupedFrame[], version: GroupingVersion): string | null {
  return (
    calls
      .slice(0, 4)
      .map(stableNameOf)
      .find((name) => name !== null && (version === 1 || !internalName.test(name))) ?? null
  );
}

/** Returns whether a frame is in a bundle, where names are minified. A hash in the file name is also a sign of one. */
export function isBundled({ file, resolved }: GroupedFrame, minified: ReadonlySet<string | null>): boolean {
  return file !== null && !resolved && (minified.has(file) || hasBundleName(file));
}

/**
 * Returns the files with a frame far to the right on an early line. Such a frame proves that the whole file is
 * generated.
 */
export function minifiedFiles(frames: readonly GroupedFrame[]): Set<string | null> {
  return new Set(frames.filter(isFarRight).map(({ file }) => file));
}

export function frameKeyText(key: FrameKey): string {
  return `${key.file ?? ''}:${key.function ?? ''}`;
}

function isFarRight({ line, column, resolved }: GroupedFrame): boolean {
  return !resolved && line !== null && column !== null && line <= earlyLine && column > longLineColumn;
}

/** Returns whether a frame constructs the error. The frame that throws it is the one that matters. */
function constructsError(frame: GroupedFrame): boolean {
  const constructed = frame.named || !frame.resolved ? frame.function : null;
  if (constructed !== null && errorConstructor.test(constructed)) return true;
  return isInErrorClass(frame);
}
