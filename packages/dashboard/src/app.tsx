import type { FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { GroupScreen } from './screens/group/group-screen.tsx';
import { GroupsScreen } from './screens/groups/groups-screen.tsx';
import { Shortcuts } from './shell/shortcuts-dialog.tsx';
import { listen } from './live/live.ts';
import { LiveNote, OfflineBanner } from './shell/live-status.tsx';
import { Questions } from './components/dialog.tsx';
import { Nothing, Waiting } from './components/loaded.tsx';
import { attempt, Notices } from './components/toast.tsx';
import { Prose, textOf } from './components/prose.tsx';
import { ProjectScreen } from './screens/projects/project-screen.tsx';
import { ProjectsScreen } from './screens/projects/projects-screen.tsx';
import { address } from './router/address.ts';
import { screenOf, type Screen } from './router/screens.ts';
import { followProjects } from './session/projects.ts';
import { SignedOut } from './screens/sign-in/sign-in-screen.tsx';
import { endSession, me, signOut } from './session/session.ts';
import { followUsage } from './session/usage.ts';
import { TeamScreen } from './screens/team/team-screen.tsx';
import { TokensScreen } from './screens/account/account-screen.tsx';
import { QuotaBanner } from './shell/quota-banner.tsx';
import { UsageScreen } from './screens/usage/usage-screen.tsx';

/** The whole page: what is shown follows from who is signed in, and from the address. */
export function App() {
  if (me.value === undefined) return <Waiting />;
  return me.value ? <SignedIn /> : <SignedOut />;
}

function SignedIn() {
  useLayoutEffect(() => {
    const ends = [
      followProjects(),
      followUsage(),
      listen((event) => {
        if (event.type === 'reset' && event.reason === 'signed_out') endSession(textOf('signed-out'));
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const screen = screenOf(address.value.pathname);
  return (
    <div class="shell">
      <a class="skip button" href="#content">
        Skip to content
      </a>
      <Bar screen={screen} />
      <div class="page" id="content" tabIndex={-1}>
        <OfflineBanner />
        <QuotaBanner />
        <View screen={screen} />
      </div>
      <Notices />
      <Questions />
      <Shortcuts />
    </div>
  );
}

function View({ screen }: { screen: Screen | null }) {
  useLayoutEffect(() => {
    const title = titleOfScreen(screen);
    if (title) document.title = title;
  }, [address.value.pathname]);
  const Content = screen && (contents[screen.name] as FunctionComponent<object>);
  return Content ? <Content key={address.value.pathname} {...screen} /> : <Nothing />;
}

/** The title of the tab; null if the screen sets its own at once. An error does so when it is loaded. */
function titleOfScreen(screen: Screen | null): string | null {
  if (!screen) return 'Not found';
  if (screen.name === 'group') return `Error #${screen.groupId}`;
  if (screen.name === 'groups' || screen.name === 'project') return null;
  return places.find(([, , name]) => name === screen.name)?.[1] ?? null;
}

const contents = {
  groups: GroupsScreen,
  group: GroupScreen,
  projects: ProjectsScreen,
  project: ProjectScreen,
  team: TeamScreen,
  tokens: TokensScreen,
  usage: UsageScreen,
};

/** Where the bar leads, and the screen there; a screen of one thing is named in the singular. */
const places: [path: string, title: string, name: string][] = [
  ['/', 'Errors', 'groups'],
  ['/projects', 'Projects', 'projects'],
  ['/usage', 'Usage', 'usage'],
  ['/team', 'Team', 'team'],
  ['/tokens', 'You', 'tokens'],
];

function Bar({ screen }: { screen: Screen | null }) {
  return (
    <header class="side">
      <Prose id="home" />
      <nav class="places" aria-label="Main">
        {places.map(([path, title, name]) => (
          <a key={path} href={path} aria-current={!!screen && name.startsWith(screen.name) && 'page'}>
            {title}
          </a>
        ))}
      </nav>
      <div class="you">
        <LiveNote />
        <Prose id="keys-link" />
        <span class="soft">{me.value?.name ?? me.value?.email}</span>
        <button class="plain" onClick={() => attempt(signOut)}>
          Sign out
        </button>
      </div>
    </header>
  );
}
