import { readFileSync } from 'node:fs';

/** Of the package. This file stands one level below it, in `src` as in `dist`. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
