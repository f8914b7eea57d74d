import { runWithToast } from '../components/toast.tsx';
import { productName } from '../product-name.ts';
import type { Screen } from '../router/screens.ts';
import { me, signOut } from '../session/session.ts';
import { LiveStatus } from './live-status.tsx';

/** The screens in the menu. `covers` is the other screen for which the entry is marked as current. */
const entries: { path: string; title: string; name: Screen['name']; covers?: Screen['name'] }[] = [
  { path: '/', title: 'Errors', name: 'groups', covers: 'group' },
  { path: '/projects', title: 'Projects', name: 'projects', covers: 'project' },
  { path: '/usage', title: 'Usage', name: 'usage' },
  { path: '/team', title: 'Team', name: 'team' },
  { path: '/tokens', title: 'Account', name: 'account' },
];

export function Navigation({ screen }: { screen: Screen | null }) {
  return (
    <header class="side">
      <a class="home" href="/">
        <img src="/icon.svg" alt="" width="22" height="22" /> {productName}
      </a>
      <nav class="menu" aria-label="Main">
        {entries.map(({ path, title, name, covers }) => (
          <a key={path} href={path} aria-current={!!screen && [name, covers].includes(screen.name) && 'page'}>
            {title}
          </a>
        ))}
      </nav>
      <div class="account">
        <LiveStatus />
        <a href="#shortcuts">
          Shortcuts <kbd aria-hidden="true">?</kbd>
        </a>
        <span class="soft">{me.value?.name ?? me.value?.email}</span>
        <button class="plain" onClick={() => runWithToast(signOut)}>
          Sign out
        </button>
      </div>
    </header>
  );
}
