export interface SourceMapRecord {
  id: number;
  project_id: number;
  file: string;
  release: string | null;
  url: string | null;
  debug_id: string | null;
  size: number;
  sources: number;
  created_at: string;
  last_used_at: string | null;
  /** The name of the blob with its index. Maps with the same content share it, across projects. */
  blob: string;
  /** SHA-256 of the uploaded map, in hexadecimal. */
  hash?: string;
  /** Size of the index. Absent: the blob is the map itself, gzipped, as servers without indexes stored it. */
  index_bytes?: number;
  /** Id of the last group at the upload. Groups up to it may have been opened without this map. Absent: unknown. */
  groups_before?: number;
}
