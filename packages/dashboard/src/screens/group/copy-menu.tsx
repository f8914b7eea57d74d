import { copyText } from '../../components/copy-text.ts';
import { runWithToast } from '../../components/toast.tsx';
import { formatAsIssue, formatAsMarkdown, formatAsPrompt } from './copy-formats.ts';
import type { LoadedGroup } from './load-group.ts';

const copyFormats: [label: string, format: typeof formatAsMarkdown][] = [
  ['As Markdown', formatAsMarkdown],
  ['As an issue', formatAsIssue],
  ['As a prompt for a coding agent', formatAsPrompt],
  ['Link', () => location.href],
];

/** Copies the error in one of several formats. */
export function CopyMenu({ loaded }: { loaded: LoadedGroup }) {
  return (
    <>
      <button id="copy" popovertarget="copy-formats" aria-keyshortcuts="c">
        Copy <kbd aria-hidden="true">c</kbd>
      </button>
      <div
        id="copy-formats"
        popover="auto"
        class="choices"
        onToggle={(event) => event.newState === 'open' && event.currentTarget.querySelector('button')?.focus()}
      >
        {copyFormats.map(([label, format]) => (
          <button
            key={label}
            popovertarget="copy-formats"
            popovertargetaction="hide"
            onClick={() => runWithToast(() => copyText(format(loaded, location.origin)), 'Copied.')}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}
