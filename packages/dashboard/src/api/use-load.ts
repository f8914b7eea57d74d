import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../live/live.ts';

/** What a screen has loaded: the last value stays while a newer one is on its way, or can't be had. */
export interface Load<Value> {
  value: Value | undefined;
  error: Error | undefined;
  reload(): void;
  /** Shows a value that is known already, such as the answer to a change. */
  set(value: Value): void;
}

/** Loads when the key changes, and again when the live stream can't tell what has happened since. */
export function useLoad<Value>(key: string, load: () => Promise<Value>): Load<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: Error }>({ key });
  const latest = useRef({ load, key, turn: 0 });
  latest.current.load = load;
  latest.current.key = key;

  const reload = (): void => {
    const turn = ++latest.current.turn;
    const settle = (outcome: { value?: Value; error?: Error }): void => {
      // An answer that comes after the reader went elsewhere is not shown.
      if (turn === latest.current.turn)
        setState((before) => ({ ...(before.key === key ? before : {}), key, ...outcome }));
    };
    latest.current.load().then(
      (value) => settle({ value, error: undefined as never }),
      (error: Error) => settle({ error }),
    );
  };

  useEffect(() => {
    reload();
    const deaf = listen((event) => event.type === 'reset' && reload());
    return () => {
      deaf();
      latest.current.turn++;
    };
  }, [key]);

  const mine = state.key === key;
  return {
    value: mine ? state.value : undefined,
    error: mine ? state.error : undefined,
    reload,
    set(value) {
      latest.current.turn++;
      setState({ key, value });
    },
  };
}
