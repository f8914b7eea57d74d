import { usage, usedShare, warningShare } from '../session/usage.ts';

/** Returns whether `Banners` has a warning to show. Its script is loaded only then. */
export function hasBanner(): boolean {
  if (!usage.value) return false;
  const { errors, storage } = usage.value;
  return storage.state !== 'ok' || (usedShare(errors.used, errors.quota) ?? 0) >= warningShare;
}
