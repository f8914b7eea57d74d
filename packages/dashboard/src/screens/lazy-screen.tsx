import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { onLive } from '../live/live-events.ts';
import { Loading, LoadError } from '../components/loaded.tsx';

type LazyScript = typeof import('./lazy-script.ts');
type Screens = Omit<LazyScript, 'mergeGroups'>;
type PropsOf<Name extends keyof Screens> = Parameters<Screens[Name]> extends [infer Props] ? Props : object;

const lazyScript = signal<LazyScript | undefined>(undefined);
const loadFailure = signal<Error | undefined>(undefined);

/**
 * A component of a screen that is opened rarely. Its script is not part of the first load. A failed load is retried
 * when the stream is live again. The retry button reloads the page: a new version of the server has scripts with other
 * names.
 */
export function LazyScreen<Name extends keyof Screens>({ name, props }: { name: Name; props: PropsOf<Name> }) {
  useLayoutEffect(() => {
    void loadScript();
    return onLive(loadScript);
  }, []);
  if (loadFailure.value) return <LoadError error={loadFailure.value} retry={() => location.reload()} />;
  if (!lazyScript.value) return <Loading />;
  const Content = lazyScript.value[name] as FunctionComponent<object>;
  return <Content {...(props as object)} />;
}

async function loadScript(): Promise<void> {
  if (lazyScript.value) return;
  try {
    lazyScript.value = await import('./lazy-script.ts');
    loadFailure.value = undefined;
  } catch {
    loadFailure.value = new Error('This screen could not be loaded.');
  }
}
