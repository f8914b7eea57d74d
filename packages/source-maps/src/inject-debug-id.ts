import { createHash } from 'node:crypto';
import { insertStatement } from './insert-statement.ts';
import { MapError } from './map-error.ts';
import { debugIdOfScript, findMapReference } from './map-reference.ts';
import { debugIdOfMap, type RawSourceMap } from './raw-source-map.ts';

export interface ScriptWithMap {
  code: string;
  map: RawSourceMap;
}

export interface InjectedScript extends ScriptWithMap {
  debugId: string;
  /** False if the script and the map already had the debug id, and the script registered it. */
  isChanged: boolean;
}

/**
 * Gives a script and its map the same debug id, as ECMA-426 describes it, and registers it for the SDK. The id follows
 * from the content, so equal builds have equal ids. Keeps an id that the script or the map has. Every position of
 * the script still maps to the same source position. Throws a MapError if the map has the id of another build.
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
    return { code, map: withDebugId(map, debugId), debugId, isChanged: map.debugId !== debugId };
  const registered = insertStatement({ code, map }, registration);
  return {
    code: ofScript === null ? withComment(registered.code, debugId) : registered.code,
    map: withDebugId(registered.map, debugId),
    debugId,
    isChanged: true,
  };
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

/** Adds the comment with the debug id at the end, but before the comment that names the map. */
function withComment(code: string, debugId: string): string {
  const comment = `//# debugId=${debugId}\n`;
  const reference = findMapReference(code);
  if (reference) {
    const isBehindCode = !/(?:^|\n)$/.test(code.slice(Math.max(0, reference.start - 1), reference.start));
    return `${code.slice(0, reference.start)}${isBehindCode ? '\n' : ''}${comment}${code.slice(reference.start)}`;
  }
  return `${code}${code.endsWith('\n') ? '' : '\n'}${comment}`;
}

function withDebugId(map: RawSourceMap, debugId: string): RawSourceMap {
  return map.debugId === debugId ? map : { ...map, debugId };
}
