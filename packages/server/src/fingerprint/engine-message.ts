/** The pattern of an engine's message for a kind of error. */
export interface EngineMessage {
  kind: string;
  /**
   * Matches the message. The group `expression` captures code; its last property becomes the name of the `ErrorKind`.
   * Any other group captures the name itself.
   */
  pattern: RegExp;
  /** The letters with which engines begin such a message. */
  firstLetters?: string;
  /** Used instead of `firstLetters`: the message contains at least one of these texts. */
  contains?: readonly string[];
  /** Set if apps contain such messages too. */
  ambiguous?: true;
  /** Set for the messages of `uncommonMessages`. */
  uncommon?: boolean;
}
