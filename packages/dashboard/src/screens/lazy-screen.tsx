import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Loading, LoadError } from '../components/loaded.tsx';

type Screens = typeof import('./administration.ts');
type PropsOf<Name extends keyof Screens> = Parameters<Screens[Name]> extends [infer Props] ? Props : object;

const screens = signal<Screens | undefined>(undefined);
const failure = signal<Error | undefined>(undefined);

/**
 * A component of a screen that is opened rarely. Its script is not part of the first load. After a failure the page is
 * loaded again: a new version of the server has scripts with other names.
 */
export function LazyScreen<Name extends keyof Screens>({ name, props }: { name: Name; props: PropsOf<Name> }) {
  useLayoutEffect(() => void loadScreens(), []);
  if (failure.value) return <LoadError error={failure.value} retry={() => location.reload()} />;
  if (!screens.value) return <Loading />;
  const Content = screens.value[name] as FunctionComponent<object>;
  return <Content {...(props as object)} />;
}

async function loadScreens(): Promise<void> {
  if (screens.value) return;
  try {
    screens.value = await import('./administration.ts');
    failure.value = undefined;
  } catch {
    failure.value = new Error('This screen could not be loaded.');
  }
}
