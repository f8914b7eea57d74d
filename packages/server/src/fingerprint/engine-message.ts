/** How a fault is worded by some engine. */
export interface EngineMessage {
  kind: string;
  /** Its group `expression`, if any, holds the code whose last property the name is; any other group the name itself. */
  pattern: RegExp;
  /** The letters such a sentence may begin with, both cases; or words of which one stands somewhere in it. */
  firstLetters?: string;
  contains?: readonly string[];
  /** People write it too. */
  ambiguous?: true;
  uncommon?: boolean;
}
