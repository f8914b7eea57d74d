import { useSignal } from '@preact/signals';
import type { Member, NewMember, Page } from '@service/protocol';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { errorMessage } from '../../api/api-error.ts';
import { call, get } from '../../api/call.ts';
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

const membersPath = '/members?size=100';

const memberRemovalWarning = 'Their sessions and tokens stop working immediately. Their changes are kept.';

/** The members of the team and their roles. */
export function TeamScreen() {
  useTitle('Team');
  const load = useLoad<Page<Member>>(membersPath);
  const invited = useSignal<NewMember | null>(null);
  const renew = async (member: Member): Promise<void> => {
    try {
      invited.value = await inviteAgain(member);
    } finally {
      load.reload();
    }
  };
  return (
    <main>
      <h1 tabIndex={-1}>{me.value?.team.name}</h1>
      <p class="soft">Owners: full access. Members: everything except team, origins and billing. Viewers: read-only.</p>
      <Loaded load={load}>
        {({ items }) => (
          <Table class="people" columns={memberColumns}>
            {items.map((member) => (
              <MemberRow key={member.id} member={member} reload={load.reload} renew={() => renew(member)} />
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
          {invited.value?.invite_url && <InvitationLink email={invited.value.email} url={invited.value.invite_url} />}
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

/** Replaces an invitation by a new one: the member is removed and added. Their place in the list changes. */
async function inviteAgain({ id, email, name }: Member): Promise<NewMember> {
  // The member may have joined since the list was loaded, and must not be removed then.
  const { items } = await get<Page<Member>>(membersPath);
  const member = items.find((one) => one.id === id);
  if (member?.status !== 'invited') throw new Error(`${name ?? email} is no longer invited.`);
  await call('DELETE', `/members/${id}`);
  try {
    return await call('POST', '/members', { email, role: member.role, name: member.name });
  } catch (error) {
    throw new Error(`${email} was removed, but not invited again: ${errorMessage(error)}`, { cause: error });
  }
}

function InvitationLink({ email, url }: { email: string; url: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [url]);
  return (
    <div class="once" role="status" ref={box}>
      <p>Send this link to {email}. It works once, within 24 hours. It is not shown again.</p>
      <Snippet text={url} name="Invitation" />
    </div>
  );
}

interface MemberRowProps {
  member: Member;
  reload(): void;
  renew(): Promise<void>;
}

function MemberRow({ member, reload, renew }: MemberRowProps) {
  const { id, email, name, role, status, created_at } = member;
  const label = name ?? email;
  return (
    <tr>
      <td class="what" dir="auto">
        <b>{label}</b> {id === me.value?.id && <span class="soft">you</span>}{' '}
        {status === 'invited' && <i class="badge">invited</i>}{' '}
        {status === 'invited' && isOwner() && (
          <button class="plain small" aria-label={`New link for ${label}`} onClick={() => runWithToast(renew)}>
            New link
          </button>
        )}
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
