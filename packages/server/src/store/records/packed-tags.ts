import { limits } from '@service/protocol';

/** Names and values can't contain it: `packTags` replaces it. */
const separator = '\0';

interface Tag {
  name: string;
  value: string;
}

/**
 * Packs the searchable tags of a report into one text: names and values alternate. Returns null if the report has no
 * tags.
 */
export function packTags(tags: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(tags).slice(0, limits.searchableTags);
  if (entries.length === 0) return null;
  return entries.flat().map(withoutSeparator).join(separator);
}

/** Marks packed tags, or the lack of tags: a group that counts the report gets no new names or values of any tag. */
export function limitTags(packed: string | null): string {
  // No name is empty, so an empty one is free to be the mark.
  return `${separator}${packed ?? ''}`;
}

export function areTagsLimited(packed: string | null): boolean {
  return packed?.startsWith(separator) === true;
}

export function unpackTags(packed: string): { tags: Tag[]; areLimited: boolean } {
  const areLimited = areTagsLimited(packed);
  const texts = packed.split(separator);
  const tags: Tag[] = [];
  for (let index = areLimited ? 1 : 0; index + 1 < texts.length; index += 2)
    tags.push({ name: texts[index] ?? '', value: texts[index + 1] ?? '' });
  return { tags, areLimited };
}

function withoutSeparator(text: string): string {
  return text.includes(separator) ? text.replaceAll(separator, ' ') : text;
}
