import { useSignal } from '@preact/signals';
import type { NewPersonalToken, Page, PersonalToken } from '@service/protocol';
import { call, explain, get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Snippet } from '../parts/copy.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { Day } from '../parts/time.tsx';

const dayMs = 86_400_000;

/** Tokens of one's own, for CI and tools. */
export function TokensScreen() {
  const load = useLoad('tokens', () => get<Page<PersonalToken>>('/auth/tokens?size=100'));
  const made = useSignal<NewPersonalToken | null>(null);
  const remove = async ({ id, name }: PersonalToken): Promise<void> => {
    try {
      await call('DELETE', `/auth/tokens/${id}`);
      say(`${name} is deleted, and is refused from now on.`);
    } catch (error) {
      say(explain(error), true);
    }
    load.reload();
  };
  return (
    <main>
      <h1 tabIndex={-1}>Your tokens</h1>
      <p class="soft">For CI and tools. A token may do what you may, and is sent as a Bearer.</p>
      <Loaded of={load}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No token yet" />
          ) : (
            <table class="people">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col" class="when">
                    Made
                  </th>
                  <th scope="col" class="when">
                    Expires
                  </th>
                  <th scope="col">
                    <span class="hidden">Delete</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((token) => (
                  <tr key={token.id}>
                    <td class="what" dir="auto">
                      <b>{token.name}</b>
                    </td>
                    <td class="when">
                      <Day at={token.created_at} />
                    </td>
                    <td class="when">{token.expires_at ? <Day at={token.expires_at} /> : 'never'}</td>
                    <td class="act">
                      <button
                        type="button"
                        class="small"
                        aria-label={`Delete ${token.name}`}
                        onClick={() => remove(token)}
                      >
                        Delete
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <section class="narrow">
        <h2>Another token</h2>
        <Form
          submit="Make token"
          run={async ({ name, days }, form) => {
            const expires_at = days ? new Date(Date.now() + Number(days) * dayMs).toISOString() : null;
            made.value = await call<NewPersonalToken>('POST', '/auth/tokens', { name, expires_at });
            form.reset();
            load.reload();
          }}
        >
          <Field label="Name">
            <input name="name" maxLength={200} autocomplete="off" required />
          </Field>
          <Field label="Good for">
            <select name="days">
              <option value="90">90 days</option>
              <option value="365">a year</option>
              <option value="">ever</option>
            </select>
          </Field>
        </Form>
        {made.value && (
          <div class="once" role="status">
            <p>Take it now: it is shown only this once.</p>
            <Snippet text={made.value.token} name="Token" />
          </div>
        )}
      </section>
    </main>
  );
}
