import { useSignal } from '@preact/signals';
import type { NewPersonalToken, Page, PersonalToken } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Snippet } from '../../components/snippet.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { DateTime } from '../../components/time.tsx';
import { dayMs } from '../../format/time.ts';
import { NameField, SelectField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';

const tokenColumns = [
  { title: 'Name' },
  { title: 'Created', class: 'when' },
  { title: 'Expires', class: 'when' },
  { title: 'Delete', class: 'act', isHidden: true },
];

const lifetimes = [
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['', 'never'],
] as const;

const tokenDeletionWarning = 'Requests with this token are rejected from now on.';

/** The user's tokens for CI and other programs. */
export function Tokens() {
  const load = useLoad<Page<PersonalToken>>('/auth/tokens?size=100');
  const created = useSignal<NewPersonalToken | null>(null);
  return (
    <>
      <hgroup class="block">
        <h2>Tokens</h2>
        <p class="soft">For CI and other programs. A token has your permissions and is sent as a Bearer token.</p>
      </hgroup>
      <Loaded load={load}>
        {({ items }) =>
          items.length === 0 ? (
            <div class="empty">
              <h2>No tokens yet</h2>
            </div>
          ) : (
            <Table class="people" columns={tokenColumns}>
              {items.map((token) => (
                <TokenRow key={token.id} token={token} onDeleted={load.reload} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <section class="narrow">
        <Form<'name' | 'days'>
          submit="Create token"
          onSubmit={async ({ name, days }, form) => {
            const expires_at = days ? new Date(Date.now() + Number(days) * dayMs).toISOString() : null;
            created.value = await call<NewPersonalToken>('POST', '/auth/tokens', { name, expires_at });
            form.reset();
            load.reload();
          }}
        >
          <h2>New token</h2>
          <NameField label="Name" />
          <SelectField name="days" label="Expires" value="90" options={lifetimes} />
        </Form>
        {created.value && (
          <div class="once" role="status">
            <p>Copy the token now. It is not shown again.</p>
            <Snippet text={created.value.token} name="Token" />
          </div>
        )}
      </section>
    </>
  );
}

function TokenRow({ token, onDeleted }: { token: PersonalToken; onDeleted(): void }) {
  const { id, name, created_at, expires_at } = token;
  return (
    <tr>
      <td class="what" dir="auto">
        <b>{name}</b>
      </td>
      <td class="when" data-title="Created">
        <DateTime at={created_at} />
      </td>
      <td class="when" data-title="Expires">
        {expires_at ? <DateTime at={expires_at} /> : 'never'}
      </td>
      <td class="act">
        <DeleteButton name={name} path={`/auth/tokens/${id}`} warning={tokenDeletionWarning} onDeleted={onDeleted} />
      </td>
    </tr>
  );
}
