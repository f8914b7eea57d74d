/**
 * A group alias: a group, and another fingerprint of its reports. They have it since a source map was uploaded, the
 * name of a function was read, or the rules of grouping were changed. Reports of both fingerprints belong to the group.
 * `id` is the key of the project and the other fingerprint. A row whose `from` has the prefix `unmergedPrefix` only
 * records that a user has unmerged the group.
 */
export interface AliasRecord {
  id: string;
  project_id: number;
  group_id: number;
  /** The fingerprint with which the group was opened. Responses contain it. */
  born: string;
  /**
   * The fingerprint that its reports had before, sometimes with a prefix of `alias-id.ts`. Only lookups use it. Absent:
   * the same as `born`.
   */
  from?: string;
}

/** A group that is merged into another one. `id` is the id of the merged group, which keeps its own row. */
export interface MergeRecord {
  id: number;
  project_id: number;
  /** The group that shows its reports. It may be merged itself. */
  target_id: number;
  merged_at: string;
}

/**
 * Files that have another name in this release than in the previous one. `id` is the key of the project and the
 * release.
 */
export interface RenameRecord {
  id: string;
  project_id: number;
  /** The path in this release and the oldest known path of the file, both normalized by `normalizePath`. */
  files: [path: string, oldest: string][];
}

/** Files of the app in a project's Python stacks. `id` is the key of the project and the end of their paths. */
export interface CodeFilesRecord {
  id: string;
  project_id: number;
  /** Each path, with hashes of the releases in which it was seen, oldest first. Empty: reports without a release. */
  paths: { path: string; releases: string[] }[];
}

/** Where errors of a group occurred. */
export interface CodeLocation {
  group_id: number;
  /** The fingerprint with which the group was opened. Responses contain it. */
  born: string;
  /** A path in the format of `modulePath`. */
  file: string;
  function: string;
  /** The calling function. Empty: none. */
  caller: string;
  /** A hash of the source line. Empty: unknown. */
  code: string;
}

/** The locations of Python errors that differ only in their file. `id` is the key of the project and what is equal. */
export interface CodeLocationsRecord {
  id: string;
  project_id: number;
  locations: CodeLocation[];
}

/**
 * Groups of a project whose culprit may be improved by a late source map, or by a name of a function that was read
 * late. `id` is the id of the project.
 */
export interface StaleCulpritsRecord {
  id: number;
  /** Only groups up to this id. */
  groups_before: number;
  /** Only groups last seen in one of these releases. Null: any release. */
  releases: string[] | null;
  /** Milliseconds. */
  due_at: number;
  /** Number of processes that began this work and neither finished it nor stopped cleanly. Absent: 0. */
  begun?: number;
}
