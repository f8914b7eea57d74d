import { useSignal } from '@preact/signals';
import type { Member, NewMember, Page, Role } from '@service/protocol';
import { call, explain, get } from '../api/call.ts';
import { useLoad, type Load } from '../api/use-load.ts';
import { Snippet } from '../parts/copy.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { Day } from '../parts/time.tsx';
import { isOwner, me } from '../session/session.ts';

const roles: Role[] = ['owner', 'member', 'viewer'];

/** Who is in the team, and what they may. */
export function TeamScreen() {
  const load = useLoad('members', () => get<Page<Member>>('/members?size=100'));
  const invited = useSignal<NewMember | null>(null);
  return (
    <main>
      <h1 tabIndex={-1}>{me.value?.team.name ?? 'Team'}</h1>
      <p class="soft">
        Owners do everything. Members do all but people, origins and plan. Viewers read.
        {!isOwner() && ' Only owners change who is here.'}
      </p>
      <Loaded of={load}>{(page) => <Members members={page.items} load={load} />}</Loaded>
      {isOwner() && (
        <section class="narrow">
          <h2>Invite</h2>
          <Form
            submit="Invite"
            run={async ({ email, role }, form) => {
              invited.value = await call<NewMember>('POST', '/members', { email, role });
              form.reset();
              load.reload();
            }}
          >
            <Field label="E-mail">
              <input name="email" type="email" autocomplete="off" required maxLength={254} />
            </Field>
            <Field label="Role">
              <select name="role">
                {roles.map((role) => (
                  <option key={role} value={role} selected={role === 'member'}>
                    {role}
                  </option>
                ))}
              </select>
            </Field>
          </Form>
          {invited.value?.invite_url && (
            <div class="once" role="status">
              <p>Give this link to {invited.value.email}. It is shown only now, and works once, within 24 hours.</p>
              <Snippet text={invited.value.invite_url} name="Invitation" />
            </div>
          )}
        </section>
      )}
    </main>
  );
}

function Members({ members, load }: { members: readonly Member[]; load: Load<Page<Member>> }) {
  const leaving = useSignal<Member | null>(null);
  const change = async (run: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await run();
      say(done);
    } catch (error) {
      say(explain(error), true);
    }
    load.reload();
  };
  return (
    <table class="people">
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">Role</th>
          <th scope="col" class="when">
            Since
          </th>
          {isOwner() && (
            <th scope="col">
              <span class="hidden">Remove</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {members.map((member) => {
          const { id, email, name, role, status, created_at } = member;
          return (
            <tr key={id}>
              <td class="what" dir="auto">
                <b>{name ?? email}</b> {id === me.value?.id && <span class="soft">you</span>}{' '}
                {status === 'invited' && <i class="badge">invited</i>}
                {name && <p>{email}</p>}
              </td>
              <td>
                {isOwner() ? (
                  <select
                    aria-label={`Role of ${name ?? email}`}
                    value={role}
                    onChange={({ currentTarget: { value } }) =>
                      change(
                        () => call('PATCH', `/members/${id}`, { role: value }),
                        `${name ?? email} is ${value} now.`,
                      )
                    }
                  >
                    {roles.map((other) => (
                      <option key={other} value={other} selected={other === role}>
                        {other}
                      </option>
                    ))}
                  </select>
                ) : (
                  role
                )}
              </td>
              <td class="when">
                <Day at={created_at} />
              </td>
              {isOwner() && (
                <td class="act">
                  <button
                    type="button"
                    class="small"
                    aria-label={`Remove ${name ?? email}`}
                    onClick={() => (leaving.value = member)}
                  >
                    Remove
                  </button>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
      {leaving.value && (
        <Confirm
          title={`Remove ${leaving.value.name ?? leaving.value.email}?`}
          action="Remove"
          close={() => (leaving.value = null)}
          run={() => {
            const { id, name, email } = leaving.value ?? { id: 0, name: null, email: '' };
            void change(() => call('DELETE', `/members/${id}`), `${name ?? email} is removed.`);
          }}
        >
          <p>Their sessions and tokens end at once. What they have done stays.</p>
        </Confirm>
      )}
    </table>
  );
}
