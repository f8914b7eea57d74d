interface Hit {
  name: string;
  tags: string[];
}

/** What is shown while somebody types. */
export function suggestionsOf(answer: { hits: Hit[] }, words: string): string[] {
  return answer.hits.filter((hit) => hit.name.includes(words)).map((hit) => hit.name);
}

/** The map of shops, once it is on screen. */
export function showMap(element: { focus(): void } | null): void {
  element!.focus();
}
