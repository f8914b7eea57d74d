import { useEffect, useMemo, useRedraw } from './hooks.ts';

/** A value that tells when it has changed. The library of that name does more, and takes 3 kB. */
export class Signal<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    if (value === this.#value) return;
    this.#value = value;
    for (const tell of this.#listeners) tell();
  }

  /** Resolves into what ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const signal = <Value>(value: Value): Signal<Value> => new Signal(value);

/** The value of a signal, for a component: it is drawn again when that changes, and nothing else is. */
export function use<Value>(read: Signal<Value>): Value {
  const redraw = useRedraw();
  const { value } = read;
  useEffect(() => {
    // It may have changed since it was drawn.
    if (read.value !== value) redraw();
    return read.listen(redraw);
  }, [read]);
  return value;
}

/** A signal of a component's own. */
export function useSignal<Value>(value: Value): Signal<Value> {
  const made = useMemo(() => new Signal(value), []);
  use(made);
  return made;
}
