import {
  late,
  type FunctionName,
  type FunctionNames,
  type FunctionNamesOptions,
} from '../../../packages/server/src/symbolication/function-names.ts';
import {
  functionAt,
  type PackedFunctions,
} from '../../../packages/server/src/symbolication/functions/function-table.ts';
import { readFunctions } from '../../../packages/server/src/symbolication/functions/read-functions.ts';
import { sourceKind, type SourceKind } from '../../../packages/server/src/symbolication/functions/source-kind.ts';
import type { SourceText } from '../../../packages/server/src/symbolication/source-text.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Parses sources in this process. With the processes of a real server, the load of the machine decides what is late.
 */
export class SimulatedFunctionNames implements FunctionNames {
  readonly #scheduler: Scheduler;
  readonly #isLate: () => boolean;
  readonly #options: FunctionNamesOptions;
  readonly #parsed = new Map<string, PackedFunctions | null>();
  #isClosed = false;

  constructor(scheduler: Scheduler, isLate: () => boolean, options: FunctionNamesOptions) {
    this.#scheduler = scheduler;
    this.#isLate = isLate;
    this.#options = options;
  }

  nameAt(source: SourceText, line: number, column: number): FunctionName | Promise<FunctionName> {
    const kind = sourceKind(source.file);
    if (kind === null) return undefined;
    const known = this.#parsed.get(source.hash);
    if (known !== undefined) return nameIn(known, line, column);
    const parsing = this.#parse(source, kind);
    if (!this.#isLate()) return parsing.then((functions) => nameIn(functions, line, column));
    parsing.then(
      () => !this.#isClosed && this.#options.onLateNames(source.projectId),
      () => undefined,
    );
    return late;
  }

  isCostly(): boolean {
    return false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #parse(source: SourceText, kind: SourceKind): Promise<PackedFunctions | null> {
    const text = await source.text();
    if (text === null) return null;
    const release = this.#scheduler.hold();
    try {
      const functions = await readFunctions(text, kind);
      this.#parsed.set(source.hash, functions);
      return functions;
    } finally {
      release();
    }
  }
}

function nameIn(functions: PackedFunctions | null, line: number, column: number): string | null | undefined {
  return functions === null ? undefined : functionAt(functions, line, column);
}
