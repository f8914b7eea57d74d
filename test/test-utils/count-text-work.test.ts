import { describe, expect, test } from 'vitest';
import { countTextWork } from './count-text-work.ts';
import { SeededRandom } from './seeded-random.mjs';

describe('the counting engine', () => {
  test('finds the same as the native engine, or rejects', async () => {
    const patterns = [
      /a*?b|(?:ab|a)c/g,
      /(a|ab)(c|bcd)?(d*)/,
      /(?<=a(b)?)c|(?<!b)a/g,
      /(?=(a+))\1b/,
      /(?!ab)a./g,
      /^(?:a(b)|c(d))*$/m,
      /(?:a?){2,4}b{2,}?/g,
      /\b[^\sa-c]+\B/giu,
      /(?<x>a)|(?<y>b)\k<y>/g,
      new RegExp('[]|[^]|x', 'g'),
      /(?:)*a{0,2}|(?:a|)+b/y,
      /(\w)\1/gi,
      /\p{Lu}.\u{1F600}|./gsu,
      new RegExp('[[a-c]--b]+', 'v'),
      /(?<!\1(a))b/g,
    ];
    const random = new SeededRandom(1);
    const texts = Array.from({ length: 300 }, () =>
      Array.from({ length: random.below(12) }, () =>
        random.pick(['a', 'b', 'c', 'd', 'A', ' ', '\n', '\u{1F600}']),
      ).join(''),
    );
    const steps = await countTextWork(() => {
      for (const pattern of patterns) for (const text of texts) text.replace(pattern, '-');
    });
    expect(steps).toBeGreaterThan(10_000);
  });

  test('counts a quadratic pattern as quadratic, and a linear one as linear', async () => {
    const growth = async (pattern: RegExp): Promise<number> => {
      const [small = 0, large = 0] = [
        await countTextWork(() => pattern.test('a'.repeat(500))),
        await countTextWork(() => pattern.test('a'.repeat(2_000))),
      ];
      return large / small;
    };
    expect(await growth(/a+b/)).toBeGreaterThan(15);
    expect(await growth(/^a+b/)).toBeLessThan(5);
  });

  test('counts the characters that are scanned', async () => {
    const text = `${'x'.repeat(1_000)}y`;
    expect(await countTextWork(() => text.indexOf('y'))).toBe(1_001);
    expect(await countTextWork(() => text.includes('y', 900))).toBe(101);
  });
});
