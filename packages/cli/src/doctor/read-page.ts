import { CommandError } from '../command-error.ts';

/** A page and its scripts, as a visitor gets them. */
export interface PageFacts {
  url: string;
  /** The policies of the header and of the document. */
  policies: string[];
  scripts: PageScript[];
  /** The scripts that could not be read, with the reason. */
  unread: { url: string; reason: string }[];
}

export interface PageScript {
  url: string;
  code: string;
  /** The source map header of the response. */
  mapHeader: string | null;
}

const maxScripts = 20;
const maxBytes = 8 * 1024 * 1024;
const timeoutMs = 20_000;

/** Throws a CommandError if an operand is not the address of a page. */
export function assertPageUrl(address: string): void {
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new CommandError('usage', 'The page must be a URL, such as https://shop.example/');
}

/** Reads a page and its first scripts. Rejects with a CommandError if the page can't be read. */
export async function readPage(address: string): Promise<PageFacts> {
  const response = await get(address);
  const document = typeof response === 'string' ? null : await readText(response);
  if (typeof response === 'string' || document === null)
    throw new CommandError(
      'unreachable',
      `${address} cannot be read (${typeof response === 'string' ? response : 'too long'}).`,
    );
  const facts: PageFacts = { url: response.url, policies: policiesOf(response, document), scripts: [], unread: [] };
  for (const url of scriptUrls(document, response.url).slice(0, maxScripts)) {
    const found = await get(url);
    const code = typeof found === 'string' ? null : await readText(found);
    if (typeof found === 'string') facts.unread.push({ url, reason: found });
    else if (code === null) facts.unread.push({ url, reason: 'too long' });
    else
      facts.scripts.push({ url, code, mapHeader: found.headers.get('SourceMap') ?? found.headers.get('X-SourceMap') });
  }
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
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
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

function scriptUrls(document: string, base: string): string[] {
  const urls = new Set<string>();
  for (const [tag] of document.matchAll(/<(?:script|link)\b[^>]*>/gi)) {
    const isPreload = /^<link/i.test(tag);
    if (isPreload && !/rel\s*=\s*["']?modulepreload/i.test(tag)) continue;
    const source = attribute(tag, isPreload ? 'href' : 'src');
    if (source !== null && URL.canParse(source, base)) urls.add(new URL(source, base).href);
  }
  return [...urls].filter((url) => /^https?:/.test(url));
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? null)?.replaceAll('&amp;', '&') ?? null;
}
