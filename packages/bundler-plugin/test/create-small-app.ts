import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder with a page and one TypeScript module, for Vite. Resolves with its path. */
export async function createSmallApp(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bundler-plugin-'));
  await writeFile(join(root, 'index.html'), '<script type="module" src="/main.ts"></script>');
  await writeFile(join(root, 'main.ts'), "export const total: number = 1;\nconsole.log('total', total);\n");
  return root;
}
