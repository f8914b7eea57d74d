import type { Origins } from '@service/protocol';
import { call, get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Field, Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';

/** Whose pages may report. The list is the whole server's. */
export function AllowedOrigins() {
  const load = useLoad('origins', () => get<Origins>('/origins'));
  return (
    <Loaded of={load}>
      {({ origins, from_settings }) => (
        <div class="sections">
          <p>
            Browsers block reports from pages of other origins. The list counts for all projects of this server; without
            any entry pages of one’s own machine may report.
          </p>
          {from_settings.length > 0 && (
            <p>
              From the settings of the server: <code>{from_settings.join(', ')}</code>
            </p>
          )}
          <Form
            submit="Save"
            run={async ({ origins: text }) => {
              load.set(await call<Origins>('PUT', '/origins', { origins: (text ?? '').split(/\s+/).filter(Boolean) }));
              say('Saved. It counts at once.');
            }}
          >
            <Field
              label="Origins, one a line"
              hint="https://app.example.com, https://*.example.com, or * for every page"
            >
              <textarea name="origins" rows={6} spellcheck={false} defaultValue={origins.join('\n')} />
            </Field>
          </Form>
        </div>
      )}
    </Loaded>
  );
}
