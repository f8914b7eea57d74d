import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { parse } from 'acorn';
import { AnyMap, originalPositionFor, type SourceMapInput } from '@jridgewell/trace-mapping';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkMap } from '../src/check-map.ts';
import { injectDebugId, parseSourceMap, type InjectedScript } from '../src/index.ts';
import type { ScriptWithMap } from '../src/inject-debug-id.ts';
import { isFull } from '../../../test/test-utils/depth.ts';

const store = fileURLToPath(new URL('../../../node_modules/.pnpm', import.meta.url));
const scriptCount = isFull ? 200 : 40;
/** In each script. */
const positionCount = isFull ? 1_000 : 100;
const maxOfPackage = 5;
const maxBytes = 200_000;

interface PackageScript extends ScriptWithMap {
  path: string;
  injected: InjectedScript;
}

/** Finds scripts of installed packages that can probably be loaded alone, at most `maxOfPackage` in a folder. */
function* scriptPaths(): Generator<string> {
  for (const folder of readdirSync(store).toSorted()) {
    const packages = join(store, folder, 'node_modules');
    const name = folder.replace(/^@/, '').split(/[@+]/)[0] ?? '';
    if (/^(?:playwright|pyright|typescript|next|vitest|vite|knip|esbuild|rollup|types)/.test(name)) continue;
    let found = 0;
    const owned = statSync(packages, { throwIfNoEntry: false })
      ? readdirSync(packages, { recursive: true, encoding: 'utf8' })
      : [];
    for (const file of owned.toSorted()) {
      if (found === maxOfPackage) break;
      if (
        !/(?:^|\/)(?:dist|lib|build)\/.*\.c?js$/.test(file) ||
        /(?:^|[/.-])(?:bench|benchmark|bin|cli|demo|example|examples|perf|test|tests|worker|register|setup|install)(?=[/.-])/.test(
          file,
        )
      )
        continue;
      const path = join(packages, file);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size > maxBytes || stats.size < 200) continue;
      found++;
      yield path;
    }
  }
}

/** Runs a script as CommonJS, and returns the names and types of its exports. Throws what the script throws. */
function run(path: string, code: string): string[] {
  const module: { exports: unknown } = { exports: {} };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const script = compileFunction(code.replace(/^#!.*/, ''), parameters, { filename: path });
  script.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  const { exports: exported } = module;
  if (typeof exported !== 'object' || exported === null) return [typeof exported];
  return Object.keys(exported).map((name) => `${name}: ${typeof Reflect.get(exported, name)}`);
}

function isScript(code: string): boolean {
  try {
    parse(code, { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns null if the script throws. */
function outcome(path: string, code: string): unknown {
  try {
    return run(path, code);
  } catch {
    return null;
  }
}

describe('scripts of npm packages', () => {
  const scripts: PackageScript[] = [];

  beforeAll(async () => {
    for (const path of scriptPaths()) {
      if (scripts.length === scriptCount) break;
      const text = readFileSync(path, 'utf8');
      // Every second script is minified to one line, as bundlers do.
      const minify = scripts.length % 2 === 0;
      const built = await transform(text, {
        sourcemap: 'external',
        sourcefile: path,
        minify,
        legalComments: 'inline',
      }).catch(() => null);
      if (!built || !isScript(built.code) || outcome(path, built.code) === null) continue;
      const script = { code: built.code, map: parseSourceMap(built.map) };
      scripts.push({ path, ...script, injected: injectDebugId(script) });
    }
    expect(scripts).toHaveLength(scriptCount);
  });

  test('parse and run as before, and have a map that fits', () => {
    for (const { injected, path } of scripts.filter((one) => (one.map.mappings ?? '').length > 200))
      expect(() => checkMap(injected), path).not.toThrow();
    for (const { path, code, injected } of scripts) {
      expect(isScript(injected.code), path).toBe(true);
      expect(outcome(path, injected.code), path).toEqual(outcome(path, code));
      expect(injectDebugId(injected).isChanged, path).toBe(false);
    }
  });

  test('have every sampled position where it was', () => {
    let compared = 0;
    for (const { path, code, map, injected } of scripts) {
      const before = new AnyMap(map as unknown as SourceMapInput);
      const after = new AnyMap(injected.map as unknown as SourceMapInput);
      const offset = injected.code.indexOf(';!function(){try{var e=globalThis;');
      const inserted = injected.code.indexOf('}();', offset) + 4 - offset;
      const [needleBefore, needleAfter] = [needles(code), needles(injected.code)];
      for (let index = 0; index < positionCount; index++) {
        const at = Math.floor((code.length * (index + 0.5)) / positionCount);
        const moved = at < offset ? at : at + inserted;
        expect(originalPositionFor(after, needleAfter(moved)), `${path} at ${at}`).toEqual(
          originalPositionFor(before, needleBefore(at)),
        );
        compared++;
      }
    }
    expect(compared).toBe(scriptCount * positionCount);
  });
});

/** Returns a function that finds line and column of an offset. Offsets have to ascend. */
function needles(code: string): (at: number) => { line: number; column: number } {
  let line = 1;
  let start = 0;
  return (at) => {
    for (let next = code.indexOf('\n', start); next >= 0 && next < at; next = code.indexOf('\n', start)) {
      line++;
      start = next + 1;
    }
    return { line, column: at - start };
  };
}
