import { call, explain, type Refusal } from '../../api/call.ts';
import { Form } from '../../components/form.tsx';
import { say } from '../../components/toast.tsx';
import { useSignal } from '@preact/signals';

/** Source maps by hand: chosen or dropped, and sent one after another. */
export function Upload({ path, then }: { path: string; then(): void }) {
  const going = useSignal<{ name: string; share: number } | null>(null);
  const { name = '', share = 0 } = going.value ?? {};

  const send = async (form: HTMLFormElement): Promise<void> => {
    const given = new FormData(form);
    const refused: string[] = [];
    const files = given.getAll('file') as File[];
    for (const file of files) {
      given.set('file', file);
      try {
        await call('POST', path, given, (done) => (going.value = { name: file.name, share: done }));
      } catch (error) {
        refused.push(`${file.name}: ${explain(error)}`);
        // Without a server the next one would not arrive, either.
        if ((error as Refusal).status === 0) break;
      }
    }
    going.value = null;
    then();
    if (refused.length > 0) throw new Error(refused.join('\n'));
    say(files.length === 1 ? 'The map is here.' : `${files.length} maps are here.`);
    form.reset();
  };

  return (
    <section
      // Beside the field a browser would leave the page for the file.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const field = event.currentTarget.querySelector<HTMLInputElement>('[type=file]');
        if (field && event.dataTransfer) field.files = event.dataTransfer.files;
      }}
    >
      <Form fields="upload" submit="Upload" run={(_, form) => send(form)} />
      {going.value && (
        <p role="status">
          {share < 1 ? 'Sending' : 'Reading'} {name} <progress aria-label={name} {...(share < 1 && { value: share })} />
        </p>
      )}
    </section>
  );
}
