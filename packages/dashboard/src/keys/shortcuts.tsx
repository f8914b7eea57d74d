import { Dialog } from '../parts/dialog.tsx';
import { address, go } from '../router/address.ts';
import { areKeysOn, turnKeys, useKeys } from './keys.ts';

const told: [keys: string, what: string][] = [
  ['j k', 'Next and previous error'],
  ['Enter', 'Open the error'],
  ['x', 'Select the error'],
  ['r', 'Resolve it, or all that are selected'],
  ['.', 'Show what is new'],
  ['n p', 'Next and previous page'],
  ['c', 'Copy the error, in an error'],
  ['u', 'Back to the list'],
  ['/', 'Search'],
  ['?', 'These shortcuts'],
];

/** Behind `?`, and `#shortcuts` in the address. */
export function Shortcuts() {
  useKeys({ '?': () => go('#shortcuts') });
  if (address.value.hash !== '#shortcuts') return null;
  return (
    <Dialog title="Shortcuts" close={() => go(address.value.pathname + address.value.search, { replace: true })}>
      <dl class="keys">
        {told.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="switch">
        <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />{' '}
        Single keys are shortcuts
      </label>
    </Dialog>
  );
}
