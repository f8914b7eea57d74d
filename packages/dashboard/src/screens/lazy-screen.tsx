import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Loading, LoadError } from '../components/loaded.tsx';

type Administration = typeof import('./administration.ts');
type Screens = Omit<Administration, 'mergeGroups'>;
type PropsOf<Name extends keyof Screens> = Parameters<Screens[Name]> extends [infer Props] ? Props : object;

const lazyScreens = signal<Administration | undefined>(undefined);
const loadFailure = signal<Error | undefined>(undefined);

/**
 * A component of a screen that is opened rarely. Its script is not part of the first load. After a failure the page is
 * loaded again: a new version of the server has scripts with other names.
 */
export function LazyScreen<Name extends keyof Screens>({ name, props }: { name: Name; props: PropsOf<Name> }) {
  useLayoutEffect(() => void loadScreens(), []);
  if (loadFailure.value) return <LoadError error={loadFailure.value} retry={() => location.reload()} />;
  if (!lazyScreens.value) return <Loading />;
  const Content = lazyScreens.value[name] as FunctionComponent<object>;
  return <Content {...(props as object)} />;
}

async function loadScreens(): Promise<void> {
  if (lazyScreens.value) return;
  try {
    lazyScreens.value = await import('./administration.ts');
    loadFailure.value = undefined;
  } catch {
    loadFailure.value = new Error('This screen could not be loaded.');
  }
}
