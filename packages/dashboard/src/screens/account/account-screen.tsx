import { useSignal } from '@preact/signals';
import type { Me, NewPersonalToken, Page, PersonalToken } from '@service/protocol';
import { call, Refusal } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Snippet } from '../../components/copy.tsx';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { say } from '../../components/toast.tsx';
import { Prose } from '../../components/prose.tsx';
import { Remove } from '../../components/delete-button.tsx';
import { Table } from '../../components/table.tsx';
import { At } from '../../components/time.tsx';
import { me } from '../../session/session.ts';

const dayMs = 86_400_000;

/** One's own name and password, and tokens for CI and tools. */
export function TokensScreen() {
  const { name, email, role, team } = me.value as Me;
  return (
    <main>
      <h1 tabIndex={-1}>{name ?? 'You'}</h1>
      <p class="soft">
        {email}, {role} of {team.name}
      </p>
      <Tokens />
      <section class="narrow">
        <Form
          fields="name"
          values={{ name: name ?? '' }}
          submit="Rename"
          class="row"
          run={async (values) => {
            me.value = await call<Me>('PATCH', '/auth/me', { name: values.name?.trim() || null });
            say('Saved.');
          }}
        />
      </section>
      <section class="narrow">
        <Form
          fields="password"
          submit="Change password"
          class="plain"
          run={async (values, form) => {
            await changePassword(values);
            form.reset();
            say('The password is changed.');
          }}
        />
      </section>
    </main>
  );
}

async function changePassword(values: Record<string, string>): Promise<void> {
  try {
    await call('PATCH', '/auth/me', values);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid_credentials') throw error;
    // The server's answer is about an e-mail and a password. This form has no field for an e-mail.
    throw new Refusal(error.status, { errors: [{ path: 'current_password', detail: error.message }] });
  }
}

function Tokens() {
  const load = useLoad<Page<PersonalToken>>('/auth/tokens?size=100');
  const made = useSignal<NewPersonalToken | null>(null);
  return (
    <>
      <Prose id="tokens" />
      <Loaded of={load}>
        {({ items }) =>
          items.length === 0 ? (
            <Prose id="no-token" />
          ) : (
            <Table class="people" heads="token-heads">
              {items.map(({ id, name, created_at, expires_at }) => (
                <tr key={id}>
                  <td class="what" dir="auto">
                    <b>{name}</b>
                  </td>
                  <td class="when" data-title="Made">
                    <At at={created_at} />
                  </td>
                  <td class="when" data-title="Expires">
                    {expires_at ? <At at={expires_at} /> : 'never'}
                  </td>
                  <td class="act">
                    <Remove what={name} path={`/auth/tokens/${id}`} text="delete-token" then={load.reload} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <section class="narrow">
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
    </>
  );
}
