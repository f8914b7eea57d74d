/** An invisible character. A chat does not interpret the character next to it as markup or a mention. */
export const zeroWidthSpace = '\u200b';

/**
 * Escapes the markup of untrusted text for a chat that reads Markdown, such as Mattermost. Backslashes do not work for
 * `@`: `\@all` would still notify all.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&').replaceAll('@', `@${zeroWidthSpace}`);
}
