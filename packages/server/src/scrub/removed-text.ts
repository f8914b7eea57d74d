/** Replaces a secret. */
export const removedText = '[removed]';
