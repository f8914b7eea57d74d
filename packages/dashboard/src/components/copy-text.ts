/** Copies a text to the clipboard, which browsers allow only on https and on localhost. */
export function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('Copying works only over https. Select the text and copy it instead.');
  return navigator.clipboard.writeText(text);
}
