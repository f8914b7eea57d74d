import { parse as parseUserAgent } from 'bowser';
import { AdmissionCache } from '../cache/admission-cache.ts';

/** Browser and operating system as lists show them: `Chrome 156`, `Windows 10 or later`. */
export interface ClientInfo {
  browser: string | null;
  os: string | null;
}

/** Few distinct user agents occur, and parsing one costs more than the rest of a report. */
const infoByUserAgent = new AdmissionCache<ClientInfo>(1_000, 200_000);

export function readUserAgent(userAgent: string | null): ClientInfo {
  if (!userAgent) return { browser: null, os: null };
  let info = infoByUserAgent.get(userAgent);
  if (!info) infoByUserAgent.set(userAgent, (info = parseClientInfo(userAgent)));
  return info;
}

function parseClientInfo(userAgent: string): ClientInfo {
  const { browser, os } = parseUserAgent(userAgent);
  return {
    browser: joinNameAndVersion(browser.name, browser.version?.split('.')[0]),
    os: frozenSystem(userAgent) ?? joinNameAndVersion(os.name, os.versionName ?? os.version),
  };
}

/**
 * Returns the name of a system whose version browsers no longer send, or null. They froze the user agent: each macOS
 * since Big Sur reports 10.15, each Windows since 10 reports NT 10.0, each Android reports 10. Safari 26 on iOS reports
 * iOS 18.
 */
function frozenSystem(userAgent: string): string | null {
  if (userAgent.includes('Windows NT 10.0')) return 'Windows 10 or later';
  if (/Intel Mac OS X 10[._]15(?!\d)/.test(userAgent)) return 'macOS 10.15 or later';
  // Chromium sends version 10 and the model `K` for every phone, whatever its Android version is.
  if (userAgent.includes('Android 10; K')) return 'Android';
  if (userAgent.includes('(Android 10;')) return 'Android 10 or later';
  // Safari has the same version as iOS. Only a version that cannot be true is corrected.
  const [, system, safari] = / OS (\d+)_[\d_]+ like Mac OS X\).* Version\/(\d+)/.exec(userAgent) ?? [];
  return system === '18' && Number(safari) >= 26 ? `iOS ${safari}` : null;
}

function joinNameAndVersion(name: string | undefined, version: string | undefined): string | null {
  if (!name) return null;
  // The parser splits "Windows" from "NT 6.1" and "macOS" from "Sonoma". Users search for both together.
  return version ? `${name} ${version.replace(/^NT /, '')}` : name;
}
