import { CommandError } from '../command-error.ts';

/** A page and its scripts, as a visitor gets them. */
export interface PageFacts {
  url: string;
  /** The policies of the header and of the document. */
  policies: string[];
  /** The tags of scripts and metadata, whose attributes may have a key. */
  tags: string[];
  /** The code of the scripts in the document itself, including data such as JSON. */
  inlineScripts: string[];
  /** The scripts that the document loads, and those that they import. */
  scripts: PageScript[];
  /** The scripts that could not be read, with the reason. */
  unread: { url: string; reason: string }[];
  /** The number of scripts beyond those that are read. */
  skippedScripts: number;
}

export interface PageScript {
  url: string;
  code: string;
  /** The source map header of the response. */
  mapHeader: string | null;
}

const maxScripts = 50;
const maxBytes = 8 * 1024 * 1024;
const pageTimeoutMs = 20_000;

/** Throws a CommandError if an operand is not the address of a page. */
export function assertPageUrl(address: string): void {
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new CommandError('usage', 'The page must be a URL, such as https://shop.example/');
}

/** Reads a page and its first scripts. Resolves with the reason if the page can't be read. */
export async function readPage(address: string): Promise<PageFacts | string> {
  const response = await get(address);
  if (typeof response === 'string') return response;
  const document = await readText(response);
  if (document === null) return 'too long';
  const scripts = await readScripts(readDocument(document, response.url), response.url);
  return { url: response.url, policies: policiesOf(response, document), ...scripts };
}

/** What a document says about its scripts. */
type DocumentScripts = Pick<PageFacts, 'tags' | 'inlineScripts'> & { urls: string[] };

/** Reads the scripts of a document, then those that they import. */
async function readScripts(
  { urls, ...inDocument }: DocumentScripts,
  base: string,
): Promise<Omit<PageFacts, 'url' | 'policies'>> {
  const facts = { ...inDocument, scripts: [] as PageScript[], unread: [] as PageFacts['unread'], skippedScripts: 0 };
  const isNamedByDocument = new Set(urls);
  const pending = new Set([...urls, ...inDocument.inlineScripts.flatMap((code) => importedUrls(code, base))]);
  let read = 0;
  // A set also iterates over what is added during the iteration.
  for (const url of pending) {
    if (read++ === maxScripts) break;
    const found = await get(url);
    const code = typeof found === 'string' ? null : await readText(found);
    if (typeof found !== 'string' && code !== null) {
      const mapHeader = found.headers.get('SourceMap') ?? found.headers.get('X-SourceMap');
      // A text that only looks like an import often gets the document of a single-page app.
      if (!isNamedByDocument.has(url) && found.headers.get('Content-Type')?.startsWith('text/html')) continue;
      facts.scripts.push({ url, code, mapHeader });
      for (const one of importedUrls(code, url)) pending.add(one);
    } else if (isNamedByDocument.has(url) || found !== 'status 404')
      facts.unread.push({ url, reason: typeof found === 'string' ? found : 'too long' });
  }
  facts.skippedScripts = Math.max(0, pending.size - maxScripts);
  return facts;
}

/** Returns whether a source map can be read at a URL without signing in. */
export async function isPublicMap(url: string): Promise<boolean> {
  const response = await get(url);
  const text = typeof response === 'string' ? null : await readText(response);
  return text !== null && /^\s*(?:\)\]\}'[^\n]*\n)?\s*\{/.test(text) && text.includes('"mappings"');
}

/** Returns the response, or the reason of the failure. */
async function get(url: string): Promise<Response | string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(pageTimeoutMs) });
    if (response.ok) return response;
    await response.body?.cancel();
    return `status ${response.status}`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    return cause?.code ?? cause?.message ?? message;
  }
}

/** Returns null if the text is too long or the connection ends early. */
async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      if ((bytes += chunk.length) > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    // An interrupted response is as unreadable as a missing one.
    return null;
  }
  return Buffer.concat(chunks).toString();
}

function policiesOf({ headers }: Response, document: string): string[] {
  const found = headers.get('Content-Security-Policy');
  const policies = found === null ? [] : [found];
  for (const [tag] of document.matchAll(/<meta\b[^>]*>/gi))
    if (/http-equiv\s*=\s*["']?content-security-policy["'\s>]/i.test(tag))
      policies.push(attribute(tag, 'content') ?? '');
  return policies;
}

/** Comments come first, so that a script in a comment does not count. */
const documentParts = /<!--[^]*?(?:-->|$)|<script\b[^>]*>([^]*?)(?:<\/script|$)|<(?:link|meta)\b[^>]*>/gi;

function readDocument(document: string, base: string): DocumentScripts {
  const found: DocumentScripts = { tags: [], inlineScripts: [], urls: [] };
  const urls = new Set<string>();
  for (const [part, code] of document.matchAll(documentParts)) {
    if (part.startsWith('<!--')) continue;
    const tag = part.slice(0, part.indexOf('>') + 1);
    const isLink = /^<link/i.test(tag);
    if (isLink && !/rel\s*=\s*["']?modulepreload/i.test(tag)) continue;
    found.tags.push(tag);
    // No browser that runs modules loads it, such as the polyfills of Next.js, which have no source map.
    if (/\snomodule[\s=>/]/i.test(tag)) continue;
    if (code?.trim()) found.inlineScripts.push(code);
    // The snippet for early errors loads the SDK from the URL in its data-src.
    for (const name of isLink ? ['href'] : ['src', 'data-src']) {
      const source = attribute(tag, name);
      if (source !== null && URL.canParse(source, base)) urls.add(new URL(source, base).href);
    }
  }
  found.urls = [...urls].filter(isHttp);
  return found;
}

/** Returns the URLs of the modules that a script imports. Bare names are skipped. */
function importedUrls(code: string, base: string): string[] {
  return [...code.matchAll(/(?:\bimport\s{0,9}\(?|\bfrom)\s{0,9}(["'`])((?:\.{0,2}\/|https?:\/\/)[^"'`\s\\$]+)\1/g)]
    .flatMap(([, , source = '']) => (URL.canParse(source, base) ? [new URL(source, base).href] : []))
    .filter(isHttp);
}

const isHttp = (url: string): boolean => /^https?:/.test(url);

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? null)?.replaceAll('&amp;', '&') ?? null;
}
