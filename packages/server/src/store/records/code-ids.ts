import { hash } from 'node:crypto';

/** Returns a key of a project and some texts. */
export function codeId(projectId: number, texts: readonly string[]): string {
  return `${projectId} ${hash('sha256', JSON.stringify(texts)).slice(0, 32)}`;
}

/** Returns a short hash of a source line, or an empty text for an unknown line. */
export function codeHash(code: string): string {
  return code === '' ? '' : hash('sha256', code).slice(0, 16);
}
