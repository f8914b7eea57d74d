/** Id of the setting that identifies the history of the data. Restoring a backup changes its value. */
export const historySetting = 'history';

/** Id of the setting that holds the key of access tokens and of the links in mails. */
export const signingKeySetting = 'signing_key';

/** Id of a setting that makes the next start end all sessions. A restore adds it. */
export const endSessionsSetting = 'end_sessions';

/**
 * An internal value of the server, such as the `signing_key` of access tokens. Ids that one module uses are declared
 * there.
 */
export interface SettingRecord {
  id: string;
  value: string;
}
