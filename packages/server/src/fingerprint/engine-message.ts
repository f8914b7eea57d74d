/** The pattern of an engine's message for a kind of error. */
export interface EngineMessage {
  kind: string;
  /**
   * Matches the message. The group `expression` captures code; its last property becomes the name of the `ErrorKind`.
   * Any other group captures the name itself.
   */
  pattern: RegExp;
  /**
   * The first letters that such a message can have, in upper and lower case. In place of it, `contains` lists words:
   * the message has at least one of them.
   */
  firstLetters?: string;
  contains?: readonly string[];
  /** Set if apps contain such messages too. */
  ambiguous?: true;
  uncommon?: boolean;
}
