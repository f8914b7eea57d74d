import { randomBytes } from 'node:crypto';
import type { Transaction } from '../store/log/transaction.ts';
import type { Model } from '../store/model/model.ts';
import { signingKeySetting } from '../store/records/setting-records.ts';
import type { Store } from '../store/store.ts';

/** Creates the key on the first start. It is stored, so tokens survive a restart. */
export async function ensureSigningKey({ commit }: Pick<Store, 'commit'>): Promise<void> {
  await commit((transaction) => {
    if (!transaction.get('settings', signingKeySetting)) rotateSigningKey(transaction);
  });
}

/** Replaces the key. Access tokens and links in mails that were signed with the previous one become invalid. */
export function rotateSigningKey(transaction: Transaction): void {
  transaction.put('settings', { id: signingKeySetting, value: randomBytes(32).toString('base64url') });
}

/** Returns the current key. It is read for each token, so a rotation takes effect immediately. */
export function signingKey({ tables }: Model): Buffer {
  const setting = tables.settings.get(signingKeySetting);
  // An empty key would accept tokens of anyone.
  if (!setting) throw new Error('The signing key is missing.');
  return Buffer.from(setting.value, 'base64url');
}
