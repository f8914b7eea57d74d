import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const rules = fileURLToPath(new URL('../../src/fingerprint/', import.meta.url));
/** Captured errors of apps, and the sources of these apps. */
const corpora = [
  {
    name: 'our own corpus',
    records: '../../../../benchmarks/corpus/captured',
    sources: '../../../../benchmarks/corpus/app',
  },
  {
    name: 'our second corpus',
    records: '../../../../benchmarks/corpus/workshop/captured',
    sources: '../../../../benchmarks/corpus/workshop/app',
  },
  // Next to the repository, on machines that have it.
  {
    name: 'another corpus',
    records: '../../../../../shared/corpus/grouping/dev',
    sources: '../../../../../shared/corpus/grouping/dev/src',
  },
].map(({ name, records, sources }) => ({
  name,
  records: fileURLToPath(new URL(`${records}/records.jsonl.gz`, import.meta.url)),
  sources: fileURLToPath(new URL(sources, import.meta.url)),
}));

function messagesIn(records: string): string[] {
  const lines = gunzipSync(readFileSync(records)).toString().trim().split('\n');
  return lines.map((line) => ((JSON.parse(line) as { message: string | null }).message ?? '').toLowerCase());
}

/** Returns the source files of the apps, which contain the messages that the apps write, not the engines. */
function sourcesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[jt]sx?$/.test(file));
  return files.map((file) => readFileSync(join(folder, file), 'utf8').toLowerCase());
}

/** Returns all runs of three or more words in strings, templates and patterns of a file. */
function sentencesIn(path: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(...runs(node.text.replaceAll(/\\./g, '|')));
    else if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(...runs(node.text));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

function runs(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}' -]+/u)
    .map((run) => run.trim())
    .filter((run) => (run.match(/\p{L}+/gu)?.length ?? 0) >= 3);
}

describe('grouping rules', () => {
  const sentences = readdirSync(rules).flatMap((file) => sentencesIn(join(rules, file)));

  test('contain texts that can be compared with those of apps', () => {
    expect(sentences).toContain('Maximum call stack size exceeded');
    expect(sentences.length).toBeGreaterThan(20);
  });

  for (const { name, records, sources } of corpora) {
    const isThere = existsSync(records);
    test.skipIf(!isThere)(
      `contain no text from the messages and the source of an app of ${name}${isThere ? '' : ' (not available here)'}`,
      () => {
        const [messages, code] = [messagesIn(records), sourcesIn(sources)];
        expect([messages.length > 1_000, code.length > 10]).toEqual([true, true]);
        const own = sentences.filter((sentence) =>
          [messages, code].every((texts) => texts.some((text) => text.includes(sentence.toLowerCase()))),
        );
        expect(own).toEqual([]);
      },
    );
  }
});
