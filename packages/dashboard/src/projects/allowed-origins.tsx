import type { Origins } from '@service/protocol';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { entriesOf } from '../parts/entries.ts';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Prose } from '../parts/prose.tsx';
import { say } from '../parts/notice.tsx';

/** Whose pages may report. The list is the whole server's. */
export function AllowedOrigins() {
  const load = useLoad<Origins>('/origins');
  return (
    <Loaded of={load}>
      {({ origins, from_settings }) => (
        <div class="sections">
          <Prose id="origins-why" />
          {from_settings.length > 0 && (
            <p>
              From the settings of the server: <code>{from_settings.join(', ')}</code>
            </p>
          )}
          <Form
            fields="origins"
            values={{ text: origins.join('\n') }}
            names={{ origins: 'text' }}
            submit="Save"
            run={async ({ text = '' }) => {
              await call('PUT', '/origins', { origins: entriesOf(text) });
              load.reload();
              say('Saved.');
            }}
          />
        </div>
      )}
    </Loaded>
  );
}
