import type { ContextLine } from '@service/protocol';
import { Pre } from '../../components/copy.tsx';

/** Lines of a source, with the one that it is about marked. */
export function Code({
  lines,
  failing,
  name,
}: {
  lines: readonly ContextLine[];
  failing: number | null;
  name: string;
}) {
  return (
    <Pre
      class="code"
      name={name}
      text={lines.map(({ line, text }) => (
        <span key={line} class={line === failing ? 'failing' : ''}>
          <i aria-hidden="true">{line}</i>
          {text}
          {'\n'}
        </span>
      ))}
    />
  );
}
