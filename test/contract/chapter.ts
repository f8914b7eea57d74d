import type { ProblemCode } from '../../packages/protocol/src/index.ts';
import type { ConfigInput } from '../../packages/server/src/index.ts';
import type { PlaceName } from './places.ts';
import type { RowId } from './rows.ts';
import type { Scene } from './scene.ts';

/** A part of the contract: tests, each of which proves some of its rows. */
export interface Chapter {
  name: string;
  /** Where it makes sense; everywhere unless said otherwise. */
  places?: PlaceName[];
  tests: ContractTest[];
}

export interface ContractTest {
  /** Reads as a promise. */
  title: string;
  proves: RowId[];
  /** Settings of its server. Tests of equal settings share one, and make projects of their own there. */
  settings?: ConfigInput;
  /** It needs a server that nobody else has used. */
  isAlone?: boolean;
  /** It turns the clock, which is possible only where the server runs in this process. */
  turnsClock?: boolean;
  /** Where it makes sense; everywhere unless said otherwise. */
  places?: PlaceName[];
  /** It takes long: it is left to `npm run test:full`. */
  isLong?: boolean;
  /** Milliseconds that it may take. */
  patience?: number;
  /** Requests in their order, as data … */
  steps?: Step[];
  /** … or a function, where that is clearer. */
  run?: (scene: Scene) => Promise<void>;
}

/**
 * A request and what it has to be answered. A name in braces stands for what the scene knows (`{project}`, `{key}`,
 * `{group}`, see `Scene.know`) or what a step before has kept.
 */
export interface Step {
  /** `GET errors/{group}` */
  ask: string;
  /** A token or a name in braces; null: none; otherwise the owner's. */
  as?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** The status, or the code of the error. */
  get: number | ProblemCode;
  /** What the body has to hold. */
  holds?: unknown;
  /** What its text must not hold. */
  lacks?: string[];
  /** Headers; null: it must not be there. */
  head?: Record<string, string | RegExp | null>;
  /** Members of the body that later steps need: `{ newKey: 'api_key' }`. */
  keep?: Record<string, string>;
}
