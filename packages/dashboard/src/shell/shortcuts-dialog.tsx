import { Dialog } from '../components/dialog.tsx';
import { Prose } from '../components/prose.tsx';
import { address, go } from '../router/address.ts';
import { areKeysOn, turnKeys, useKeys } from '../shortcuts/use-shortcuts.ts';

/** Behind `?`, and `#shortcuts` in the address. */
export function Shortcuts() {
  useKeys({ '?': () => go('#shortcuts') });
  if (address.value.hash !== '#shortcuts') return null;
  return (
    <Dialog title="Shortcuts" close={() => go('', { replace: true })}>
      <Prose id="shortcuts" />
      <KeySwitch />
    </Dialog>
  );
}

function KeySwitch() {
  return (
    <label class="switch">
      <input type="checkbox" checked={areKeysOn.value} onChange={(event) => turnKeys(event.currentTarget.checked)} />
      Single keys are shortcuts
    </label>
  );
}
