/** One call of a client, in the order of all beginnings and ends. */
export interface Operation<Input, Output> {
  input: Input;
  /** Null if the client doesn't know the outcome: the operation has taken effect at any time since, or never. */
  output: Output | null;
  beganAt: number;
  /** Infinity without an output. */
  endedAt: number;
}

/** An object on which one operation is performed after the other. */
export interface SequentialModel<State, Input, Output> {
  initial: State;
  /**
   * Returns the states after an operation with this output: none if it can't have this output. Without an output,
   * returns all states that are possible after the operation.
   */
  apply(state: State, input: Input, output: Output | null): State[];
}

/**
 * Returns whether a history is linearizable: the operations can be ordered so that each takes effect once, between its
 * beginning and its end, and every output is that of the model. An operation without an output may also have no effect.
 * Searches all orders (Wing and Gong), and each set of performed operations with a state only once (Lowe). States are
 * compared by their JSON.
 */
export function isLinearizable<State, Input, Output>(
  history: readonly Operation<Input, Output>[],
  model: SequentialModel<State, Input, Output>,
): boolean {
  const known = history.filter(({ output }) => output !== null).length;
  const visited = new Set<string>();
  const performed = new Set<number>();

  function search(state: State, performedKnown: number): boolean {
    if (performedKnown === known) return true;
    const key = `${[...performed].toSorted((one, other) => one - other).join()} ${JSON.stringify(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    // An operation that began after another one has ended comes after it.
    const firstEnd = Math.min(...history.map(({ endedAt }, index) => (performed.has(index) ? Infinity : endedAt)));
    for (const [index, { input, output, beganAt }] of history.entries()) {
      if (performed.has(index) || beganAt > firstEnd) continue;
      performed.add(index);
      for (const next of model.apply(state, input, output))
        if (search(next, performedKnown + (output === null ? 0 : 1))) return true;
      performed.delete(index);
    }
    return false;
  }

  return search(model.initial, 0);
}
