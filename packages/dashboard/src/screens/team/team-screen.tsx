import { useSignal } from '@preact/signals';
import type { Member, NewMember, Page } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Snippet } from '../../components/copy.tsx';
import { Form, Select } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { attempt } from '../../components/toast.tsx';
import { Prose, textOf } from '../../components/prose.tsx';
import { Remove } from '../../components/delete-button.tsx';
import { Table } from '../../components/table.tsx';
import { At } from '../../components/time.tsx';
import { isOwner, me } from '../../session/session.ts';

const roles = ['owner', 'member', 'viewer'].map((role) => [role, role] as const);

/** Who is in the team, and what they may. */
export function TeamScreen() {
  const load = useLoad<Page<Member>>('/members?size=100');
  const invited = useSignal<NewMember | null>(null);
  return (
    <main>
      <h1 tabIndex={-1}>{me.value?.team.name}</h1>
      <Prose id="roles" />
      <Loaded of={load}>
        {({ items }) => (
          <Table class="people" heads="member-heads">
            {items.map((member) => (
              <Person key={member.id} member={member} reload={load.reload} />
            ))}
          </Table>
        )}
      </Loaded>
      {isOwner() && (
        <section class="narrow">
          <Form
            fields="invite"
            submit="Invite"
            run={async ({ email, role }, form) => {
              invited.value = await call<NewMember>('POST', '/members', { email, role });
              form.reset();
              load.reload();
            }}
          />
          {invited.value?.invite_url && (
            <div class="once" role="status">
              <p>{textOf('invited', invited.value)}</p>
              <Snippet text={invited.value.invite_url} name="Invitation" />
            </div>
          )}
        </section>
      )}
    </main>
  );
}

function Person({ member, reload }: { member: Member; reload(): void }) {
  const { id, email, name, role, status, created_at } = member;
  const who = name ?? email;
  return (
    <tr>
      <td class="what" dir="auto">
        <b>{who}</b> {id === me.value?.id && <span class="soft">you</span>}{' '}
        {status === 'invited' && <i class="badge">invited</i>}
        {name && <p>{email}</p>}
      </td>
      <td>
        {isOwner() ? (
          <Select
            label={`Role of ${who}`}
            value={role}
            options={roles}
            choose={async (chosen) => {
              await attempt(() => call('PATCH', `/members/${id}`, { role: chosen }), `${who} is ${chosen} now.`);
              reload();
            }}
          />
        ) : (
          role
        )}
      </td>
      <td class="when" data-title="Since">
        <At at={created_at} />
      </td>
      <td class="act">
        {isOwner() && <Remove verb="Remove" what={who} path={`/members/${id}`} text="remove-member" then={reload} />}
      </td>
    </tr>
  );
}
