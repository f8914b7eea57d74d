/** Files that the server hands out as they are. This file stands one level below the package, in `src` as in `dist`. */
export const publicFolder = new URL('../public/', import.meta.url);
