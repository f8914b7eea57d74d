/** Returns the command that uploads the source maps of a folder, for a person to copy into a POSIX shell. */
export function uploadCommand(folder: string, release: string | null = null): string {
  const option = release === null ? '' : ` --release ${shellWord(release)}`;
  return `service sourcemaps upload ${shellWord(folder)}${option}`;
}

/** Returns a text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
