import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { errorMessage, type ApiError } from '../../api/api-error.ts';
import { showToast } from '../../components/toast.tsx';
import { countOf } from '../../format/count.ts';
import { InputField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';

/** Uploads source maps, which the user chooses or drops, one after another. */
export function SourceMapUpload({ path, onUploaded }: { path: string; onUploaded(): void }) {
  const upload = useSignal<{ name: string; share: number } | null>(null);
  const { name = '', share = 0 } = upload.value ?? {};

  const send = async (form: HTMLFormElement): Promise<void> => {
    const body = new FormData(form);
    const problems: string[] = [];
    const files = body.getAll('file') as File[];
    for (const file of files) {
      body.set('file', file);
      try {
        await call('POST', path, body, (sent) => (upload.value = { name: file.name, share: sent }));
      } catch (error) {
        problems.push(`${file.name}: ${errorMessage(error)}`);
        // If the server can't be reached, the next file would also fail.
        if ((error as ApiError).status === 0) break;
      }
    }
    upload.value = null;
    onUploaded();
    if (problems.length > 0) throw new Error(problems.join('\n'));
    showToast(`Uploaded ${countOf(files.length, 'source map')}.`);
    form.reset();
  };

  return (
    <section
      // Without this, a browser opens a file that is dropped outside of the field.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const field = event.currentTarget.querySelector<HTMLInputElement>('[type=file]');
        if (field && event.dataTransfer) field.files = event.dataTransfer.files;
      }}
    >
      <Form submit="Upload" onSubmit={(_, form) => send(form)}>
        <h2>Upload source maps</h2>
        <InputField
          name="release"
          label="Release"
          maxLength={200}
          hint="The release that is passed to init(). Not needed for maps with debug IDs."
        />
        <InputField
          name="file"
          label="Source maps"
          type="file"
          accept=".map,.json"
          multiple
          required
          hint="Choose files or drop them here. Up to 64 MB each."
        />
      </Form>
      {upload.value && (
        <p role="status">
          {share < 1 ? 'Uploading' : 'Processing'} {name}{' '}
          <progress aria-label={name} {...(share < 1 && { value: share })} />
        </p>
      )}
    </section>
  );
}
