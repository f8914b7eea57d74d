import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { onEvent } from '../live/live-events.ts';
import { isNotFound } from './api-error.ts';
import { get } from './call.ts';
import { retryWhenLive } from './retry-when-live.ts';

/**
 * Loaded data. The previous value stays while a newer one loads, and after a failed reload, unless the response is a
 * 404: the data was deleted.
 */
export interface Load<Value> {
  value: Value | undefined;
  error: Error | undefined;
  reload(): void;
}

/**
 * Loads a path, or what `load` returns for a key. Loads it again when the key changes, after a reset of the live
 * stream, and once the stream is live again after a failure of the server.
 */
export function useLoad<Value>(key: string, load = (): Promise<Value> => get(key)): Load<Value> {
  const state = useSignal<{ key: string; value?: Value; error?: Error | undefined }>({ key });
  const lastRequest = useRef(0);
  const latestLoad = useRef(load);
  latestLoad.current = load;

  const reload = (): void => {
    const request = ++lastRequest.current;
    const settle = (outcome: { value: Value; error: undefined } | { error: Error }): void => {
      // The response to an outdated request is dropped.
      if (request !== lastRequest.current) return;
      const previous = state.value;
      state.value = { ...(previous.key === key && !isNotFound(outcome.error) && previous), key, ...outcome };
    };
    latestLoad.current().then(
      (value) => settle({ value, error: undefined }),
      (error: Error) => settle({ error }),
    );
  };

  // A layout effect sends the request before the first paint.
  useLayoutEffect(() => {
    reload();
    const unsubscribe = onEvent((event) => event.type === 'reset' && reload());
    const stopRetrying = retryWhenLive(() => state.value.error, reload);
    return () => {
      unsubscribe();
      stopRetrying();
      lastRequest.current++;
    };
  }, [key]);

  const { value, error } = state.value.key === key ? state.value : {};
  return { value, error, reload };
}
