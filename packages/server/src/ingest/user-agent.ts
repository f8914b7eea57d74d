import { parse as parseUserAgent } from 'bowser';
import { Memo } from '../memo.ts';

/** Browser and system in the words of tags: `Chrome 156`, `Windows 10`. */
export interface Client {
  browser: string | null;
  os: string | null;
}

/** The same few hundred strings come again and again, and reading one costs more than all the rest of a report. */
const known = new Memo<Client>(1_000, 200_000);

export function readUserAgent(userAgent: string | null): Client {
  if (!userAgent) return { browser: null, os: null };
  let client = known.get(userAgent);
  if (!client) known.set(userAgent, (client = parse(userAgent)));
  return client;
}

function parse(userAgent: string): Client {
  const { browser, os } = parseUserAgent(userAgent);
  return {
    browser: words(browser.name, browser.version?.split('.')[0]),
    os: words(os.name, os.versionName ?? os.version),
  };
}

function words(name: string | undefined, version: string | undefined): string | null {
  if (!name) return null;
  // "Windows" and "NT 10.0" come apart, "macOS" and "Sonoma" too: the pair is what people look for.
  return version ? `${name} ${version.replace(/^NT /, '')}` : name;
}
