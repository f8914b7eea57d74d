import type { Origins } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { say } from '../../components/toast.tsx';
import { textOf } from '../../components/prose.tsx';

/** Which pages may report, and a way for one more. */
export function AllowPage() {
  const load = useLoad<Origins>('/origins');
  return (
    <Loaded of={load}>
      {({ origins, from_settings }) => {
        const known = [...from_settings, ...origins];
        return (
          <>
            <p>{known.length > 0 ? `On the list: ${known.join(', ')}` : textOf('list-empty')}</p>
            <Form
              fields="page"
              names={{ origins: 'page' }}
              submit="Allow it"
              class="row"
              run={async ({ page = '' }, form) => {
                // Of a page's address only its beginning counts.
                const origin = URL.parse(page)?.origin ?? page;
                if (known.includes(origin)) throw new Error(textOf('page-known', { origin }));
                await call('PUT', '/origins', { origins: [...origins, origin] });
                load.reload();
                form.reset();
                say(`${origin} may report now.`);
              }}
            />
          </>
        );
      }}
    </Loaded>
  );
}
