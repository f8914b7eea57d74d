import { Dialog } from '../components/dialog.tsx';
import { address, go } from '../router/address.ts';
import { areShortcutsEnabled, setShortcutsEnabled, useShortcuts } from './use-shortcuts.ts';

const shortcuts: [keys: string[], action: string][] = [
  [['j', 'k'], 'Next or previous error'],
  [['Enter'], 'Open the error'],
  [['x'], 'Select the error'],
  [['r'], 'Resolve or reopen the selected errors'],
  [['.'], 'Show new errors'],
  [['n', 'p'], 'Next or previous page'],
  [['c'], 'Copy the open error'],
  [['u'], 'Back to the list'],
  [['/'], 'Search'],
  [['?'], 'Show these shortcuts'],
];

/** Opened by `?` and by the fragment `#shortcuts`. */
export function ShortcutsDialog() {
  useShortcuts({ '?': () => go('#shortcuts') });
  if (address.value.hash !== '#shortcuts') return null;
  return (
    <Dialog title="Keyboard shortcuts" close={() => go('', { replace: true })}>
      <dl class="lines keys">
        {shortcuts.map(([keys, action]) => (
          <div key={action}>
            <dt>{keys.flatMap((key) => [<kbd key={key}>{key}</kbd>, ' '])}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <label class="switch">
        <input
          type="checkbox"
          checked={areShortcutsEnabled.value}
          onChange={(event) => setShortcutsEnabled(event.currentTarget.checked)}
        />
        Enable keyboard shortcuts
      </label>
    </Dialog>
  );
}
