import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { ConfirmationDialog } from './components/confirmation-dialog.tsx';
import { Loading, NotFound } from './components/loaded.tsx';
import { Toasts } from './components/toast.tsx';
import { address } from './router/address.ts';
import { screenOf, type Screen } from './router/screens.ts';
import { useTitle } from './router/title.ts';
import { followProjects } from './session/projects.ts';
import { me } from './session/session.ts';
import { followUsage } from './session/usage.ts';
import { hasBanner } from './shell/has-banner.ts';
import { OfflineBanner } from './shell/live-status.tsx';
import { Navigation } from './shell/navigation.tsx';
import { ShortcutsDialog } from './shortcuts/shortcuts-dialog.tsx';
import { GroupsScreen } from './screens/groups/groups-screen.tsx';
import { GroupScreen } from './screens/group/group-screen.tsx';
import { LazyScreen } from './screens/lazy-screen.tsx';
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx';

export function App() {
  if (me.value === undefined) return <Loading />;
  return me.value ? <SignedIn /> : <SignInScreen />;
}

function SignedIn() {
  useLayoutEffect(() => {
    const unsubscribes = [followProjects(), followUsage()];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, []);
  const { pathname } = address.value;
  const screen = screenOf(pathname);
  return (
    <div class="shell">
      <a class="skip button" href="#content">
        Skip to content
      </a>
      <Navigation screen={screen} />
      <div class="page" id="content" tabIndex={-1}>
        <OfflineBanner />
        {hasBanner() && <LazyScreen name="Banners" props={{}} />}
        {/* The key gives each path its own state, for example when the user goes from one error to the next. */}
        <CurrentScreen key={pathname} screen={screen} />
      </div>
      <Toasts />
      <ConfirmationDialog />
      <ShortcutsDialog />
    </div>
  );
}

function CurrentScreen({ screen }: { screen: Screen | null }): ComponentChildren {
  if (!screen) return <UnknownAddress />;
  if (screen.name === 'groups') return <GroupsScreen />;
  if (screen.name === 'group') return <GroupScreen {...screen} />;
  if (screen.name === 'project') return <LazyScreen name="ProjectScreen" props={screen} />;
  return <LazyScreen name={lazyNames[screen.name]} props={{}} />;
}

const lazyNames = {
  account: 'AccountScreen',
  projects: 'ProjectsScreen',
  team: 'TeamScreen',
  usage: 'UsageScreen',
} as const;

function UnknownAddress() {
  useTitle('Not found');
  return <NotFound />;
}
