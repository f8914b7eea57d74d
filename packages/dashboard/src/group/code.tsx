import type { ContextLine } from '@service/protocol';

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
    <pre class="code" tabIndex={0} role="region" aria-label={name}>
      {lines.map(({ line, text }) => (
        <span key={line} class={line === failing ? 'failing' : ''}>
          <i aria-hidden="true">{line}</i>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
