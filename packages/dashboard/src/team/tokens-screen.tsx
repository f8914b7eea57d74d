import { useSignal } from '../state/signal.ts';
import type { NewPersonalToken, Page, PersonalToken } from '@service/protocol';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Snippet } from '../parts/copy.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/loaded.tsx';
import { attempt, say } from '../parts/notice.tsx';
import { Prose } from '../parts/prose.tsx';
import { Table } from '../parts/table.tsx';
import { At } from '../parts/time.tsx';
import { me } from '../session/session.ts';

const dayMs = 86_400_000;

/** Tokens of one's own, for CI and tools, and one's password. */
export function TokensScreen() {
  const load = useLoad<Page<PersonalToken>>('/auth/tokens?size=100');
  const made = useSignal<NewPersonalToken | null>(null);
  return (
    <main>
      <h1 tabIndex={-1}>You</h1>
      <p class="soft">
        {me.value?.email}, {me.value?.role} of {me.value?.team.name}
      </p>
      <h2>Tokens</h2>
      <Prose id="tokens" />
      <Loaded of={load}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No token yet" />
          ) : (
            <Table class="people" heads={[['Name'], ['Made', 'when'], ['Expires', 'when'], ['Delete', 'act']]}>
              {items.map(({ id, name, created_at, expires_at }) => (
                <tr key={id}>
                  <td class="what" dir="auto">
                    <b>{name}</b>
                  </td>
                  <td class="when">
                    <At at={created_at} as="day" />
                  </td>
                  <td class="when">{expires_at ? <At at={expires_at} as="day" /> : 'never'}</td>
                  <td class="act">
                    <button
                      class="small"
                      aria-label={`Delete ${name}`}
                      onClick={async () => {
                        await attempt(
                          () => call('DELETE', `/auth/tokens/${id}`),
                          `${name} is deleted, and refused now.`,
                        );
                        load.reload();
                      }}
                    >
                      Delete
                    </button>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <section class="narrow">
        <h2>Another token</h2>
        <Form
          fields="token"
          submit="Make token"
          run={async ({ name, days }, form) => {
            const expires_at = days ? new Date(Date.now() + Number(days) * dayMs).toISOString() : null;
            made.value = await call<NewPersonalToken>('POST', '/auth/tokens', { name, expires_at });
            form.reset();
            load.reload();
          }}
        />
        {made.value && (
          <div class="once" role="status">
            <Prose id="token-once" />
            <Snippet text={made.value.token} name="Token" />
          </div>
        )}
      </section>
      <section class="narrow">
        <h2>Password</h2>
        <Form
          fields="password"
          submit="Change password"
          isPlain
          run={async (values, form) => {
            await call('PATCH', '/auth/me', values);
            form.reset();
            say('The password is changed.');
          }}
        />
      </section>
    </main>
  );
}
