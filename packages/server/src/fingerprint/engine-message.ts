/** A message that engines have for a kind of error. */
export interface EngineMessage {
  kind: string;
  /**
   * Its group `expression`, if any, captures code whose last property is the name. Any other group captures the name
   * itself.
   */
  pattern: RegExp;
  /**
   * The first letters of such a message, in both cases. `contains` lists words of which the message has at least one.
   */
  firstLetters?: string;
  contains?: readonly string[];
  /** Whether people write such messages, too. */
  ambiguous?: true;
  uncommon?: boolean;
}
