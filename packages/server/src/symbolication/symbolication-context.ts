import type { Logger } from 'pino';
import type { Store } from '../store/store.ts';
import type { FunctionNames } from './function-names.ts';
import type { MapReader } from './map-reader.ts';

/** The dependencies of symbolication. `Services` provides all of them. */
export interface SymbolicationContext {
  readonly store: Store;
  readonly mapReader: MapReader;
  readonly functionNames: FunctionNames;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
