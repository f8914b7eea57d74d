/** Parts of names under which secrets stand. */
const partOfName =
  'passw(?:or[dt]|d)|passphrase|passcode|pswd|pwd|kennwort|wachtwoord|contrase[nñ]a|парол[ья]|密[码碼]|パスワード|비밀번호' +
  '|secret|token|bearer|authori[sz]ation|cookie|credential|session|sessid|signature|[cx]srf|jwt' +
  '|(?:api|access|account|private|auth|encryption|signing|shared|master|subscription|functions|ssh)[ _-]?key';
/** Names that are too short to be looked for within others. */
const wholeName = 'sid|auth|pass|pw|pin|t?otp|mfa|cvv2?|cvc2?|csc|sig|senha';
const humps = 'Sid|Auth|Pass|Pw|Pin|Otp|Cvv|Cvc|Sig';

/** A name in a text, for a pattern that ignores case. A line feed of a text within a text is no letter before it. */
export const anyName = String.raw`(?:(?:${partOfName})[\w-]{0,32}|(?:(?<![A-Za-z\d])|(?<=\\[nrt]))(?:${wholeName})(?![\w-]))`;
/** The same for what ends as `cardCvc` does, for a pattern that does not ignore case. */
export const humpedName = String.raw`(?<=[a-z\d])(?:${humps})(?![\w-])`;

const secretName = new RegExp(`${partOfName}|(?:^|[^a-z])(?:${wholeName})$`, 'i');
const secretHump = new RegExp(`${humpedName}$`);

/** Whether what stands under this name is a secret. */
export function isSecretName(text: string): boolean {
  return secretName.test(text) || secretHump.test(text);
}
