import { AdmissionCache } from '../cache/admission-cache.ts';

/** Parts of names that indicate a secret. */
const partOfName =
  'passw(?:or[dt]|d)|passphrase|passcode|pswd|pwd|kennwort|wachtwoord|contrase[nñ]a|парол[ья]|密[码碼]|パスワード|비밀번호' +
  '|secret|token|bearer|authori[sz]ation|cookie|credential|session|sessid|signature|[cx]srf|jwt' +
  '|(?:api|access|account|private|auth|encryption|signing|shared|master|subscription|functions|ssh)[ _-]?key';
/** Names that are too short to be searched within other names. */
const wholeName = 'sid|auth|pass|pw|pin|t?otp|mfa|cvv2?|cvc2?|csc|sig|senha';
const camelEndings = 'Sid|Auth|Pass|Pw|Pin|Otp|Cvv|Cvc|Sig';

/** A secret name in a text, for a pattern that ignores case. An escaped line feed before the name is not part of it. */
export const anyName = String.raw`(?:(?:${partOfName})[\w-]{0,32}|(?:(?<![A-Za-z\d])|(?<=\\[nrt]))(?:${wholeName})(?![\w-]))`;
/** A camel-case ending such as in `cardCvc`, for a pattern that does not ignore case. */
export const camelName = String.raw`(?<=[a-z\d])(?:${camelEndings})(?![\w-])`;

const secretName = new RegExp(`${partOfName}|(?:^|[^a-z])(?:${wholeName})$`, 'i');
const secretEnding = new RegExp(`${camelName}$`);

/** Returns whether values with this name are secrets. */
export function isSecretName(text: string): boolean {
  return secretName.test(text) || secretEnding.test(text);
}

/** Cached results of `isSecretName`. Events repeat the same few names, and the pattern is long. */
const cachedResults = new AdmissionCache<boolean>(2_000, 100_000);

/** Works like `isSecretName`, and remembers names that occur repeatedly. Not for values: they would stay in memory. */
export function isCachedSecretName(name: string): boolean {
  let isSecret = cachedResults.get(name);
  if (isSecret === undefined) cachedResults.set(name, (isSecret = isSecretName(name)));
  return isSecret;
}
