import { useSignal } from '@preact/signals';
import type { TagFacet } from '@service/protocol';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { address, go, withParams } from '../../router/address.ts';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { formatFilter, parseFilter, type GroupFilter } from '../filter/group-filter.ts';
import { suggestTags } from './suggest-tags.ts';

/** The list is updated once the user has not typed for this time. */
const typingPauseMs = 250;

/** One text field for all filters except the project. Its text and the address are kept equal. */
export function SearchBox({ filter, tags }: { filter: GroupFilter; tags: readonly TagFacet[] }) {
  const typed = useSignal('');
  const input = useRef<HTMLInputElement | null>(null);
  const timer = useRef(0);
  /** Address of the history entry that this typing has created. */
  const typedAddress = useRef('');
  const text = formatFilter(filter);
  const suggestions = suggestTags(typed.value, tags);

  // The address that typing has set must not change the text, which may be newer. An address with another filter
  // comes from a link or from going back.
  useLayoutEffect(() => {
    const box = input.current;
    if (box && (document.activeElement !== box || formatFilter(parseFilter(box.value)) !== text)) box.value = text;
  }, [text]);

  useLayoutEffect(() => () => clearTimeout(timer.current), []);

  // Everything that is typed in one go shares a history entry, so that Back restores the previous list.
  const search = (): void => {
    clearTimeout(timer.current);
    go(withParams({ q: input.current?.value.trim() ?? '' }), { replace: address.value.href === typedAddress.current });
    typedAddress.current = address.value.href;
  };
  useShortcuts({
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
        typedAddress.current = '';
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label="Search errors"
        placeholder="Search, or env:production"
        autocomplete="off"
        spellcheck={false}
        maxLength={400}
        defaultValue={text}
        // Only with suggestions: with a list, a search box has the role of a combo box.
        {...(suggestions.length > 0 && { list: 'tags' })}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(search, typingPauseMs);
        }}
        onFocus={() => (typedAddress.current = '')}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <datalist id="tags">
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
