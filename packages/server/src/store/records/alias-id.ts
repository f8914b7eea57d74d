/** Precedes the fingerprint in `from` of an alias for reports whose names of functions are late. */
export const unnamedPrefix = 'unnamed ';
/** Precedes the fingerprint of a group that a user has unmerged, in a row that no report finds. */
export const unmergedPrefix = 'unmerged ';

/**
 * Returns a key of a project and a fingerprint. A group alias has one for its new fingerprint and one for its previous
 * one.
 */
export function aliasId(projectId: number, fingerprint: string): string {
  return `${projectId} ${fingerprint}`;
}
