import type { ProblemCode } from '../../packages/protocol/src/index.ts';

/**
 * A request and the response that it must get. A name in braces is replaced by a fixture of the test (`{project}`,
 * `{key}`, `{group}`, see `TestContext.fixture`) or by a value that an earlier step saved.
 */
export interface Step {
  /** Method and path: `GET errors/{group}`. */
  request: string;
  /** A token or a name in braces; null: no token; the owner's by default. */
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** The expected status, or the expected problem code. */
  outcome: number | ProblemCode;
  /** Members that the response body must have. */
  matches?: unknown;
  /** Texts that the response must not contain. */
  excludes?: string[];
  /** Expected response headers; null: the header must be absent. */
  responseHeaders?: Record<string, string | RegExp | null>;
  /** Saves members of the body for later steps: `{ newKey: 'api_key' }`. */
  save?: Record<string, string>;
}
