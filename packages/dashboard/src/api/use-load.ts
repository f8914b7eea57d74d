import { useLayoutEffect, useRef } from 'preact/hooks';
import { listen } from '../live/live.ts';
import { useSignal } from '@preact/signals';
import { get } from './call.ts';
import { retryWhenLive } from './retry-when-live.ts';

/** What a screen has loaded: the last value stays while a newer one is on its way, or can't be had. */
export interface Load<Value> {
  value: Value | undefined;
  error: Error | undefined;
  reload(): void;
}

/** Loads a path when it changes, again when the live stream can't tell what has happened since, and after a failure. */
export function useLoad<Value>(key: string, load = (): Promise<Value> => get(key)): Load<Value> {
  const state = useSignal<{ key: string; value?: Value; error?: Error | undefined }>({ key });
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;

  const reload = (): void => {
    const mine = ++turn.current;
    const settle = (outcome: { value: Value; error: undefined } | { error: Error }): void => {
      // An answer that comes after the reader went elsewhere is not shown.
      const before = state.value;
      if (mine === turn.current) state.value = { ...(before.key === key && before), key, ...outcome };
    };
    latest.current().then(
      (value) => settle({ value, error: undefined }),
      (error: Error) => settle({ error }),
    );
  };

  useLayoutEffect(() => {
    reload();
    const deaf = listen((event) => event.type === 'reset' && reload());
    const stopRetrying = retryWhenLive(() => state.value.error, reload);
    return () => {
      deaf();
      stopRetrying();
      turn.current++;
    };
  }, [key]);

  const { value, error } = state.value.key === key ? state.value : {};
  return { value, error, reload };
}
