/** A fingerprint that reports of a project have: adoptions are found by the one they lead to, and by the one they lead from. */
export function aliasId(projectId: number, fingerprint: string): string {
  return `${projectId} ${fingerprint}`;
}
