import type { Origins } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loaded } from '../../components/loaded.tsx';
import { showToast } from '../../components/toast.tsx';
import { Form } from '../../forms/form.tsx';
import { splitEntries } from '../../forms/list-entries.ts';

/** The origins whose pages can send reports. The list belongs to the whole server. */
export function AllowedOrigins() {
  const load = useLoad<Origins>('/origins');
  return (
    <Loaded load={load}>
      {({ origins, from_settings }) => (
        <div class="sections">
          <p>
            Only pages of allowed origins can send reports. The list applies to all projects of this server. While no
            origin is allowed, only pages on localhost can send reports.
          </p>
          {from_settings.length > 0 && (
            <p>
              Allowed by the settings of the server: <code>{from_settings.join(', ')}</code>
            </p>
          )}
          <Form<'text'>
            fieldNames={{ origins: 'text' }}
            submit="Save"
            onSubmit={async ({ text }) => {
              await call('PUT', '/origins', { origins: splitEntries(text) });
              load.reload();
              showToast('Saved.');
            }}
          >
            <label class="field">
              Allowed origins (one per line){' '}
              <textarea
                name="text"
                rows={6}
                spellcheck={false}
                defaultValue={origins.join('\n')}
                data-expected="Enter origins such as https://example.com, without a path."
              />
              <small>https://app.example.com, https://*.example.com, or * for every origin</small>
            </label>
          </Form>
        </div>
      )}
    </Loaded>
  );
}
