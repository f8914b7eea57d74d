/** Values by project and name. Nested maps are faster than joined keys, which each lookup would have to build. */
export class ProjectMap<Value> {
  readonly #projects = new Map<number, Map<string, Value>>();

  get(projectId: number, name: string): Value | undefined {
    return this.#projects.get(projectId)?.get(name);
  }

  set(projectId: number, name: string, value: Value): void {
    const values = this.#projects.get(projectId);
    if (values) values.set(name, value);
    else this.#projects.set(projectId, new Map([[name, value]]));
  }
}
