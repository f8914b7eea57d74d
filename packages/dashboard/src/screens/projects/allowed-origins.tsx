import type { Origins } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { entriesOf } from '../../components/list-entries.ts';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Prose } from '../../components/prose.tsx';
import { say } from '../../components/toast.tsx';

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
