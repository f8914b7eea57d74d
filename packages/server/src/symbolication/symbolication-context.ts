import type { Logger } from 'pino';
import type { Store } from '../store/store.ts';
import type { FunctionNames } from './function-names.ts';
import type { Maps } from './maps.ts';

/** The dependencies of symbolication. `Services` provides all of them. */
export interface SymbolicationContext {
  readonly store: Store;
  readonly maps: Maps;
  readonly functionNames: FunctionNames;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
