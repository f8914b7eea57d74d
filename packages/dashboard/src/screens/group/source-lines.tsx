import type { ContextLine } from '@service/protocol';
import { CodeBlock } from '../../components/code-block.tsx';

interface SourceLinesProps {
  lines: readonly ContextLine[];
  /** Number of the highlighted line. */
  failing: number | null;
  name: string;
}

/** Lines of source around the failing line. */
export function SourceLines({ lines, failing, name }: SourceLinesProps) {
  return (
    <CodeBlock
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
