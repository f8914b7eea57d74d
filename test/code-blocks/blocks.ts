import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A block of code in a page, with the place of its first line. */
export interface CodeBlock {
  page: string;
  line: number;
  language: string;
  code: string;
}

const isPage = (file: string): boolean => file.endsWith('.md') && !/node_modules|\.vitepress/.test(file);

/** The pages with instructions: the site, and the READMEs that npm and Git hosts show. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
  ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(isPage)
    .map((file) => `docs/${file}`),
].filter((page) => existsSync(join(root, page)));

/** Returns the blocks of a page. In a list, a block is indented. */
function blocksOf(page: string): CodeBlock[] {
  const text = readFileSync(join(root, page), 'utf8');
  return Array.from(
    text.matchAll(/^( *)```(\w*).*\n([^]*?)^\1```$/gm),
    ({ index, 2: language = '', 3: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length + 1,
      language,
      code,
    }),
  );
}

export const blocks = pages.flatMap(blocksOf);

export const blocksIn = (...languages: string[]): CodeBlock[] =>
  blocks.filter(({ language }) => languages.includes(language));

/** Returns a title for a test: page and line. */
export const titled = (some: CodeBlock[]): [title: string, block: CodeBlock][] =>
  some.map((block) => [`${block.page}:${block.line}`, block]);
