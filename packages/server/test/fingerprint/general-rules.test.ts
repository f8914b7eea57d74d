import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const rules = fileURLToPath(new URL('../../src/fingerprint/', import.meta.url));
/** Captured errors of two apps, and what these are made of: beside the repository, where it is worked on. */
const corpus = fileURLToPath(new URL('../../../../../shared/corpus/grouping/dev/', import.meta.url));
const records = join(corpus, 'records.jsonl.gz');
const isThere = existsSync(records);

function messages(): string[] {
  const lines = gunzipSync(readFileSync(records)).toString().trim().split('\n');
  return lines.map((line) => ((JSON.parse(line) as { message: string | null }).message ?? '').toLowerCase());
}

/** What the apps say themselves, rather than the engines that run them, is written here. */
function sources(): string[] {
  const folder = join(corpus, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8').toLowerCase());
}

/** All runs of three words and more that stand in string, template or pattern of a file. */
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

describe('the rules are general', () => {
  const sentences = readdirSync(rules).flatMap((file) => sentencesIn(join(rules, file)));

  test('sentences are found in them at all', () => {
    expect(sentences).toContain('Maximum call stack size exceeded');
    expect(sentences.length).toBeGreaterThan(20);
  });

  test.skipIf(!isThere)(
    isThere
      ? 'no three words of them are those of an app of the corpus'
      : 'no three words of them are those of an app of the corpus (skipped: the corpus is not beside the repository)',
    () => {
      const [said, written] = [messages(), sources()];
      expect([said.length > 1_000, written.length > 10]).toEqual([true, true]);
      const own = sentences.filter((sentence) =>
        [said, written].every((texts) => texts.some((text) => text.includes(sentence.toLowerCase()))),
      );
      expect(own).toEqual([]);
    },
  );
});
