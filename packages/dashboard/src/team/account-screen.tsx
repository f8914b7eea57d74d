import { call } from '../api/call.ts';
import { KeySwitch } from '../keys/shortcuts.tsx';
import { Form } from '../parts/form.tsx';
import { say } from '../parts/notice.tsx';
import { me, readMe } from '../session/session.ts';

/** Who one is here, and how the page looks and listens. */
export function AccountScreen() {
  const { email, role, team, name } = me.value ?? {};
  return (
    <main>
      <h1 tabIndex={-1}>You</h1>
      <p class="soft">
        {email}, {role} of {team?.name}
      </p>
      <div class="sections">
        <Form fields="me" values={{ name: name ?? '' }} submit="Save" isPlain class="row" run={save} />
        <Form fields="password" submit="Change password" isPlain run={save} />
        <section>
          <h2>This browser</h2>
          <KeySwitch />
        </section>
      </div>
    </main>
  );
}

async function save(values: Record<string, string>, form: HTMLFormElement): Promise<void> {
  await call('PATCH', '/auth/me', 'name' in values ? { name: values.name?.trim() || null } : values);
  if ('password' in values) form.reset();
  else await readMe();
  say('Saved.');
}
