import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy-button.tsx';

/** A code block with a button that copies it. */
export function Snippet({ text, name }: { text: string; name: string }) {
  return (
    <div class="snippet">
      <CodeBlock text={text} name={name} />
      <CopyButton text={text} name={name} />
    </div>
  );
}
