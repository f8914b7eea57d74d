/** Maps 1:1 of the minified script to `const total = cart.items;` in src/cart.ts. */
export const sourceMap = {
  version: 3,
  file: 'app.js',
  sources: ['src/cart.ts'],
  sourcesContent: ['const total = cart.items;'],
  names: [],
  mappings: 'AAAA',
};

export interface MapFormFields {
  map?: unknown;
  name?: string;
  release?: string;
  url?: string;
}

/** Builds the multipart form of a source map upload. */
export function mapForm({ map = sourceMap, name = 'app.js.map', release, url }: MapFormFields = {}): FormData {
  const form = new FormData();
  form.append('file', new Blob([typeof map === 'string' ? map : JSON.stringify(map)]), name);
  if (release !== undefined) form.append('release', release);
  if (url !== undefined) form.append('url', url);
  return form;
}
