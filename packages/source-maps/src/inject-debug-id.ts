import { createHash } from 'node:crypto';
import { findInsertion } from './find-insertion.ts';
import { MapError } from './map-error.ts';
import { debugIdOfScript, findMapReference } from './map-reference.ts';
import { debugIdOfMap, type RawSourceMap } from './raw-source-map.ts';
import { shiftMap } from './shift-mappings.ts';

export interface ScriptWithMap {
  code: string;
  map: RawSourceMap;
}

export interface InjectedScript extends ScriptWithMap {
  debugId: string;
  /** False if the script and the map had their debug id already. */
  isChanged: boolean;
}

/**
 * Gives a script and its map the same debug id, as ECMA-426 describes it, and registers it for the SDK. The id follows
 * from the content, so equal builds have equal ids. Keeps an id that both have. Every position of the script maps to
 * where it did. Throws a MapError if the map has the id of another build.
 */
export function injectDebugId({ code, map }: ScriptWithMap): InjectedScript {
  const [ofScript, ofMap] = [debugIdOfScript(code), debugIdOfMap(map)];
  if (ofScript !== null && ofMap !== null && ofScript !== ofMap)
    throw new MapError(
      'other_build',
      `The script has the debug id ${ofScript}, its map has ${ofMap}: they are of two builds. Build both again.`,
    );
  const debugId = ofScript ?? ofMap ?? createDebugId(code, map);
  const registration = registrationOf(debugId);
  if (ofScript !== null && code.includes(registration))
    return { code, map: withDebugId(map, debugId), debugId, isChanged: ofMap === null };
  const registered = insertStatement({ code, map }, registration);
  return {
    code: ofScript === null ? withComment(registered.code, debugId) : registered.code,
    map: withDebugId(registered.map, debugId),
    debugId,
    isChanged: true,
  };
}

/**
 * Inserts a statement of one line at the beginning of a script, and moves the positions of its map. A script that
 * contains the statement stays unchanged.
 */
export function insertStatement<Map extends RawSourceMap | null>(
  script: { code: string; map: Map },
  statement: string,
): { code: string; map: Map } {
  const { code, map } = script;
  if (code.includes(statement)) return script;
  const at = findInsertion(code);
  const before = code.slice(0, at);
  const lines = before.split(/\r\n|[\n\r\u2028\u2029]/);
  const insertion = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0, length: statement.length };
  return { code: before + statement + code.slice(at), map: map && (shiftMap(map, insertion) as Map) };
}

/** Returns a UUID of version 8, whose bits a program chooses: here the hash of the script and its map. */
function createDebugId(code: string, map: RawSourceMap): string {
  const hash = createHash('sha256').update(code).update('\0').update(JSON.stringify(map)).digest('hex');
  const variant = '89ab'[Number.parseInt(hash[16] ?? '0', 16) % 4];
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}

/**
 * Returns the statement that registers a debug id under a stack of the script, from which the SDK reads its URL. It is
 * one line, so that only columns move, and it can't fail.
 */
function registrationOf(debugId: string): string {
  return `;!function(){try{var e=globalThis;(e.__serviceDebugIds=e.__serviceDebugIds||{})[(new e.Error).stack]="${debugId}"}catch(e){}}();`;
}

/** Adds the comment before that of the map, which stays the last line. */
function withComment(code: string, debugId: string): string {
  const comment = `//# debugId=${debugId}\n`;
  const reference = findMapReference(code);
  if (reference) return code.slice(0, reference.start) + comment + code.slice(reference.start);
  return `${code}${code.endsWith('\n') ? '' : '\n'}${comment}`;
}

function withDebugId(map: RawSourceMap, debugId: string): RawSourceMap {
  return map.debugId === debugId ? map : { ...map, debugId };
}
