/** A source as a map has it. Where it comes from, only the resolver knows. */
export interface SourceText {
  /** Of its bytes: equal texts of different maps and releases have the same. */
  hash: string;
  /** As the frame shows it. */
  file: string;
  bytes: number;
  /** The project of the map. */
  projectId: number;
  /** Null: it is damaged. Rejects with `storage_unavailable`. */
  text(): Promise<string | null>;
}
