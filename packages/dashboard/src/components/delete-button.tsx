import { call } from '../api/call.ts';
import { ask } from './dialog.tsx';
import { textOf } from './prose.tsx';

interface RemoveProps {
  what: string;
  path: string;
  /** Id of the text that says what comes of it. */
  text: string;
  then(): void;
  verb?: string;
}

/** A button in a row that deletes what the row is about, once that is confirmed. */
export function Remove({ what, path, text, then, verb = 'Delete' }: RemoveProps) {
  const title = `${verb} ${what}`;
  return (
    <button
      class="small"
      aria-label={title}
      onClick={() =>
        ask({
          title: `${title}?`,
          text: textOf(text),
          action: verb,
          done: `${what} is ${verb.toLowerCase()}d.`,
          run: () => call('DELETE', path).then(then),
        })
      }
    >
      {verb}
    </button>
  );
}
