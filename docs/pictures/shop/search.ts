interface Hit {
  name: string;
  tags: string[];
}

/** Returns the suggestions below the search field. */
export function suggestionsOf(answer: { hits: Hit[] }, words: string): string[] {
  return answer.hits.filter((hit) => hit.name.includes(words)).map((hit) => hit.name);
}

/** Focuses the map of shops. */
export function showMap(element: { focus(): void } | null): void {
  element!.focus();
}
