/** The sizes of the groups of each project. */
export class ProjectSizes {
  /** Size of the bodies of all stored reports. */
  storedBytes = 0;
  readonly #groups = new Map<number, number>();
  readonly #storedBytes = new Map<number, number>();
  readonly #largeBytes = new Map<number, number>();
  readonly #tagChars = new Map<number, number>();

  /** Returns the number of groups of a project. */
  groupsOf(projectId: number): number {
    return this.#groups.get(projectId) ?? 0;
  }

  addGroups(projectId: number, more: number): void {
    this.#groups.set(projectId, this.groupsOf(projectId) + more);
  }

  /** Returns the size of the bodies of the stored reports of a project. */
  storedBytesOf(projectId: number): number {
    return this.#storedBytes.get(projectId) ?? 0;
  }

  addStoredBytes(projectId: number, more: number): void {
    if (more === 0) return;
    this.storedBytes += more;
    this.#storedBytes.set(projectId, this.storedBytesOf(projectId) + more);
  }

  /** Returns the projects whose stored reports are larger than this. */
  projectsStoring(bytes: number): number[] {
    // One project can't be larger than all of them.
    if (this.storedBytes <= bytes) return [];
    return [...this.#storedBytes].filter(([, stored]) => stored > bytes).map(([projectId]) => projectId);
  }

  /** Returns the bytes that the large groups of a project take beyond `largeGroupBytes` each. */
  largeBytesOf(projectId: number): number {
    return this.#largeBytes.get(projectId) ?? 0;
  }

  addLargeBytes(projectId: number, more: number): void {
    if (more !== 0) this.#largeBytes.set(projectId, this.largeBytesOf(projectId) + more);
  }

  /**
   * Returns the characters of the custom tags that the groups of a project count. `count` counts them at the first
   * call.
   */
  tagCharsOf(projectId: number, count: () => number): number {
    let chars = this.#tagChars.get(projectId);
    if (chars === undefined) this.#tagChars.set(projectId, (chars = count()));
    return chars;
  }

  /** Returns whether the tags of a project were counted, so that changes have to be added. */
  hasTagChars(projectId: number): boolean {
    return this.#tagChars.has(projectId);
  }

  addTagChars(projectId: number, more: number): void {
    const chars = this.#tagChars.get(projectId);
    if (chars !== undefined && more !== 0) this.#tagChars.set(projectId, chars + more);
  }

  removeProject(projectId: number): void {
    this.#groups.delete(projectId);
    this.#storedBytes.delete(projectId);
    this.#largeBytes.delete(projectId);
    this.#tagChars.delete(projectId);
  }
}
