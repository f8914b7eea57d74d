/** A source that a map contains. Only the resolver knows where it is stored. */
export interface SourceText {
  /** The hash of its bytes. Equal texts of different maps and releases have the same hash. */
  hash: string;
  /** The file as the frame shows it. */
  file: string;
  bytes: number;
  /** The project of the map. */
  projectId: number;
  /** Resolves with null if the text is damaged. Rejects with a ProblemError if it cannot be read now. */
  text(): Promise<string | null>;
}
