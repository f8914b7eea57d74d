import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeys } from '../../shortcuts/use-shortcuts.ts';
import { address, go, withParams } from '../../router/address.ts';
import { readFilter, writeFilter, type GroupFilter } from './group-filter.ts';

/** Typing rests for so long before the list follows. */
const restMs = 250;

/** All filters in one box: what it says is what the address says. */
export function SearchBox({ filter }: { filter: GroupFilter }) {
  const input = useRef<HTMLInputElement | null>(null);
  const timer = useRef(0);
  /** The entry of the history that this typing has made. */
  const typed = useRef('');
  const text = writeFilter(filter);

  // Typing is not interrupted by its own results. An address that says something else comes from a link,
  // or from going back.
  useLayoutEffect(() => {
    const box = input.current;
    if (box && (document.activeElement !== box || writeFilter(readFilter(box.value)) !== text)) box.value = text;
  }, [text]);

  useLayoutEffect(() => () => clearTimeout(timer.current), []);

  // One entry for all that is typed at a time: Back leads to the list as it was before, and not out of it.
  const search = (): void => {
    clearTimeout(timer.current);
    go(withParams({ q: input.current?.value.trim() ?? '' }), { replace: address.value.href === typed.current });
    typed.current = address.value.href;
  };
  useKeys({
    '/': () => {
      input.current?.focus();
      input.current?.select();
    },
  });

  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
        typed.current = '';
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label="Search errors"
        placeholder="Search, or is:resolved env:production"
        autocomplete="off"
        spellcheck={false}
        maxLength={400}
        defaultValue={text}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(search, restMs);
        }}
        onFocus={() => (typed.current = '')}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
