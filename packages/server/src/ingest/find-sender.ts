import { ProblemError } from '../problem.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import type { Model } from '../store/model/model.ts';
import { validationFailed } from '../validation/validation.ts';
import { invalidApiKey } from './record-report.ts';

/** Bodies up to this size are always parsed, so that the response names their first problem. */
const alwaysParsedBytes = 16 * 1024;
/** A body without a known key may decompress to this size plus `keylessRatio` times the sent bytes. */
const keylessBytes = 64 * 1024;
/** Reports are rarely compressed to less than a twentieth. */
const keylessRatio = 100;
/** Further keys are not looked up. A report has one key, but other texts in it may look like keys. */
const maxCandidates = 16;
const maxKeyChars = 200;

const keyField = Buffer.from('"project_api_key"');

/**
 * Finds the project whose API key a JSON text contains, without parsing it: parsing a large body costs a thousand times
 * as much. The key may be part of a nested text, so the result is only used to reject bodies and to queue them. The
 * parsed report decides who the sender is.
 */
export function findSender({ tables }: Model, json: Buffer): ProjectRecord | undefined {
  for (const key of apiKeysIn(json)) {
    const project = tables.projects.find(key);
    if (project) return project;
  }
  return undefined;
}

/**
 * Searches the bytes of a large body for the API key of a project, and throws if it finds none. An unknown key is
 * `invalid_api_key`; without any key the body is `malformed_json` or `validation_failed`.
 */
export function assertSender(model: Model, json: Buffer): void {
  if (json.length <= alwaysParsedBytes || findSender(model, json)) return;
  if (!apiKeysIn(json).next().done) throw invalidApiKey();
  const enclosed = enclosedType(json);
  if (enclosed === null) throw new ProblemError('malformed_json', 'The body is not valid JSON.');
  throw validationFailed([
    enclosed === 'object'
      ? { path: 'project_api_key', detail: 'expected string' }
      : { path: '', detail: 'expected a JSON object' },
  ]);
}

/**
 * Returns a check that limits how far a body without a known key is decompressed. It throws `payload_too_large` once
 * the body is much larger than the sent bytes and no known key has been found in it.
 */
export function inflationCheck(model: Model): (chunks: readonly Buffer[], size: number, sentBytes: number) => void {
  let isKnown = false;
  return (chunks, size, sentBytes) => {
    if (isKnown || size <= keylessBytes + keylessRatio * sentBytes) return;
    isKnown = findSender(model, Buffer.concat(chunks, size)) !== undefined;
    if (!isKnown) throw new ProblemError('payload_too_large', 'The compressed body decompresses to too many bytes.');
  };
}

/**
 * Yields the texts that follow `"project_api_key":` in a JSON text, up to their first escape and to `maxKeyChars`: no
 * valid key is longer or has an escape.
 */
function* apiKeysIn(json: Buffer): Generator<string> {
  let found = 0;
  for (let at = json.indexOf(keyField); at >= 0 && found < maxCandidates; at = json.indexOf(keyField, at + 1)) {
    found++;
    const rest = json.toString('latin1', at + keyField.length, at + keyField.length + maxKeyChars + 20);
    const [, key] = /^[ \t\r\n]{0,8}:[ \t\r\n]{0,8}"([^"\\]{0,200})/.exec(rest) ?? [];
    if (key !== undefined) yield key;
  }
}

/** Returns the type of value that a text begins and ends like, or null if it can't be JSON. */
function enclosedType(json: Buffer): 'object' | 'other' | null {
  const [start] = json.toString('latin1', 0, 64).trimStart();
  const [end] = json.toString('latin1', json.length - 64).match(/\S(?=\s*$)/) ?? [];
  if (start === '{' && end === '}') return 'object';
  return (start === '[' && end === ']') || (start === '"' && end === '"') ? 'other' : null;
}
