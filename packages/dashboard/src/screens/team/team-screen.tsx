import { useSignal } from '@preact/signals';
import type { Member, NewMember, Page } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Snippet } from '../../components/snippet.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { DateTime } from '../../components/time.tsx';
import { runWithToast } from '../../components/toast.tsx';
import { DeletionForm } from '../../forms/deletion-form.tsx';
import { NewEmailField, Select, SelectField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useTitle } from '../../router/title.ts';
import { me } from '../../session/session.ts';
import { isOperator, isOwner } from '../../session/permissions.ts';

const roleNames: Record<Member['role'], string> = { owner: 'Owner', member: 'Member', viewer: 'Viewer' };
const roles = Object.entries(roleNames) as [Member['role'], string][];

const memberColumns = [
  { title: 'Member' },
  { title: 'Role' },
  { title: 'Added', class: 'when' },
  { title: 'Remove', class: 'act', isHidden: true },
];

const memberRemovalWarning = 'Their sessions and tokens stop working immediately. Their changes are kept.';

/** The members of the team and their roles. */
export function TeamScreen() {
  useTitle('Team');
  const load = useLoad<Page<Member>>('/members?size=100');
  const invited = useSignal<NewMember | null>(null);
  return (
    <main>
      <h1 tabIndex={-1}>{me.value?.team.name}</h1>
      <p class="soft">Owners: full access. Members: everything except team, origins and billing. Viewers: read-only.</p>
      <Loaded load={load}>
        {({ items }) => (
          <Table class="people" columns={memberColumns}>
            {items.map((member) => (
              <MemberRow key={member.id} member={member} reload={load.reload} />
            ))}
          </Table>
        )}
      </Loaded>
      {isOwner() && (
        <section class="narrow">
          <Form<'email' | 'role'>
            submit="Invite"
            onSubmit={async ({ email, role }, form) => {
              invited.value = await call<NewMember>('POST', '/members', { email, role });
              form.reset();
              load.reload();
            }}
          >
            <h2>Invite a member</h2>
            <NewEmailField autocomplete="off" />
            <SelectField name="role" label="Role" value="member" options={roles} />
          </Form>
          {invited.value?.invite_url && (
            <div class="once" role="status">
              <p>Send this link to {invited.value.email}. It works once, within 24 hours. It is not shown again.</p>
              <Snippet text={invited.value.invite_url} name="Invitation" />
            </div>
          )}
        </section>
      )}
      {isOwner() && !isOperator() && (
        <DeletionForm
          what="team"
          path="/team/delete"
          warning="Deletes all projects, reports, source maps, payments and the accounts of all members."
          nameField="team_name"
        />
      )}
    </main>
  );
}

function MemberRow({ member, reload }: { member: Member; reload(): void }) {
  const { id, email, name, role, status, created_at } = member;
  const label = name ?? email;
  return (
    <tr>
      <td class="what" dir="auto">
        <b>{label}</b> {id === me.value?.id && <span class="soft">you</span>}{' '}
        {status === 'invited' && <i class="badge">invited</i>}
        {name && <p>{email}</p>}
      </td>
      <td>
        {isOwner() ? (
          <Select
            label={`Role of ${label}`}
            value={role}
            options={roles}
            onChoose={async (newRole) => {
              await runWithToast(
                () => call('PATCH', `/members/${id}`, { role: newRole }),
                `New role of ${label}: ${roleNames[newRole]}.`,
              );
              reload();
            }}
          />
        ) : (
          roleNames[role]
        )}
      </td>
      <td class="when" data-title="Added">
        <DateTime at={created_at} />
      </td>
      <td class="act">
        {isOwner() && (
          <DeleteButton
            verb="Remove"
            name={label}
            path={`/members/${id}`}
            warning={memberRemovalWarning}
            onDeleted={reload}
          />
        )}
      </td>
    </tr>
  );
}
