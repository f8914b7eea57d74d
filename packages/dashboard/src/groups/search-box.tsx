import { useEffect, useRef } from '../state/hooks.ts';
import { useKeys } from '../keys/keys.ts';
import { go, withParams } from '../router/address.ts';
import { writeFilter, type GroupFilter } from './group-filter.ts';

/** Typing rests for so long before the list follows. */
const restMs = 250;

/** All filters in one box: what it says is what the address says. */
export function SearchBox({ filter }: { filter: GroupFilter }) {
  const input = useRef<HTMLInputElement | null>(null);
  const timer = useRef(0);
  const text = writeFilter(filter);

  // Whoever is typing is not interrupted by what they have typed.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = text;
  }, [text]);

  const search = (replace: boolean): void => {
    clearTimeout(timer.current);
    go(withParams({ q: input.current?.value.trim() ?? '' }), { replace });
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
        search(false);
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
          timer.current = setTimeout(() => search(true), restMs);
        }}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
