import { hasBundleName, isPython, normalizePath, withoutQuery } from './file-path.ts';
import { bareName, isMinifiedName } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { isInErrorClass, lineOf } from './source-line.ts';

/** What stays of a frame over releases and edits: never its line, nor a name that a minifier made. */
export interface FrameKey {
  file: string | null;
  function: string | null;
}

/** A function that is wrapped in a callback, to be timed or tried again, is the function it was. */
const callbacks = /(?:\.?<anonymous>)+$/;
/** Minifiers write few and long lines; a license may stand above them. */
const longLineColumn = 300;
const earlyLine = 100;
/** `new HttpError`, `HttpError`, `HttpError.constructor`; not `showError`. */
const errorConstructor = /(?:^|[ .])[A-Z][\w$]*(?:Error|Exception)(?:\.constructor)?$/;

/** The frames that can be a place, top first: with a file, really called, and below the making of the error itself. */
export function callsOf(frames: readonly GroupedFrame[]): readonly GroupedFrame[] {
  const withFile = frames.filter(({ file }) => file !== null);
  const called = withFile.filter(({ raw }) => !raw.async);
  const calls = called.length > 0 ? called : withFile;
  const first = calls.findIndex((frame) => !makesError(frame));
  return first === -1 ? calls : calls.slice(first);
}

/** JavaScriptCore counts a class that was called without `new` as called; the others blame the caller. */
export function withoutCallee(calls: readonly GroupedFrame[]): readonly GroupedFrame[] {
  const [first, ...callers] = calls;
  const isClass = first !== undefined && /\bclass\b|\bconstructor\s*\(/.test(lineOf(first) ?? '');
  return isClass && callers.length > 0 ? callers : calls;
}

/** Where a resolved frame stands: its original file, and its function if a name is known that no minifier made. */
export function sourceFrameKey(frame: GroupedFrame): FrameKey {
  const file = frame.oldestPath ?? normalizePath(frame.file ?? '');
  return { file, function: nameOf(frame)?.replace(callbacks, '') || null };
}

/** Where a frame stands that was never minified, such as one of a development server. `page` as `pageAmong` tells it. */
export function readableFrameKey(frame: GroupedFrame, page: string | null): FrameKey {
  let key = readableKeys.get(frame);
  if (!key) readableKeys.set(frame, (key = readFrameKey(frame)));
  return page !== null && key.url === page ? { file: '(page)', function: key.function } : key;
}

interface ReadableFrameKey extends FrameKey {
  url: string | null;
}

/** The frames of a known stack are the same objects whenever it comes again. */
const readableKeys = new WeakMap<GroupedFrame, ReadableFrameKey>();

function readFrameKey({ file, function: reported }: GroupedFrame): ReadableFrameKey {
  const name = bareName(reported);
  const url = urlOf(file);
  // A script without a name is one of a page, wherever that is.
  const isNameless = url !== null && !url.slice(url.lastIndexOf('/') + 1).includes('.');
  return {
    file: isNameless ? '(page)' : normalizePath(file ?? ''),
    function: name !== null && name.length < 3 && !isPython(file) ? null : name,
    url,
  };
}

/** The file without its query, if it is one that a page could be. */
function urlOf(file: string | null): string | null {
  return file !== null && /^https?:/i.test(file) ? withoutQuery(file) : null;
}

/** The URLs of the files. */
export function urlsOf(frames: readonly GroupedFrame[]): string[] {
  return [...new Set(frames.flatMap(({ file }) => urlOf(file) ?? []))];
}

/**
 * The one of these URLs that is the page's: scripts inside a page have its URL, which holds ids. Null if there is none:
 * then it makes no difference on which page it was.
 */
export function pageAmong(urls: readonly string[], page: string | null): string | null {
  return (page !== null && urls.find((url) => isPage(url, page))) || null;
}

function isPage(url: string, page: string): boolean {
  if (!page.startsWith(url)) return false;
  return page.length === url.length || page[url.length] === '?' || page[url.length] === '#';
}

/** The function of a frame, if the name is certain not to change with the next build. */
export function nameOf(frame: GroupedFrame): string | null {
  if (frame.named) return frame.function;
  const name = bareName(frame.function);
  return name === null || (isMinifiedName(name) && !isPython(frame.file)) ? null : name;
}

/** In a bundle most names are the minifier's, but those of methods stay: the nearest one tells much of a place. */
export function nearestName(calls: readonly GroupedFrame[]): string | null {
  return (
    calls
      .slice(0, 4)
      .map(nameOf)
      .find((name) => name !== null) ?? null
  );
}

/** Whether a frame stands in a bundle, where names are a minifier's: known by a hash in the name of the file. */
export function isBundled({ file, resolved }: GroupedFrame, minified: ReadonlySet<string | null>): boolean {
  return file !== null && !resolved && (minified.has(file) || hasBundleName(file));
}

/** The files of which a frame stands far out on an early line: proof for the whole file that no person wrote it. */
export function minifiedFiles(frames: readonly GroupedFrame[]): Set<string | null> {
  return new Set(frames.filter(isFarRight).map(({ file }) => file));
}

export function frameKeyText(key: FrameKey): string {
  return `${key.file ?? ''}:${key.function ?? ''}`;
}

function isFarRight({ line, column, resolved }: GroupedFrame): boolean {
  return !resolved && line !== null && column !== null && line <= earlyLine && column > longLineColumn;
}

/** Where an error is thrown matters, not where its class is written. */
function makesError(frame: GroupedFrame): boolean {
  const constructed = frame.named || !frame.resolved ? frame.function : null;
  if (constructed !== null && errorConstructor.test(constructed)) return true;
  return isInErrorClass(frame);
}
