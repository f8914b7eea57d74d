/** Values by project and name. Two maps take less time than one of joined names, which would have to be made for every look. */
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
