/**
 * Returns the anchor of a heading, as GitHub builds it. The site builds the same one, because pages are read on both.
 *
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
