import { call } from '../api/call.ts';
import { areKeysOn, turnKeys } from '../keys/keys.ts';
import { Field, Form } from '../parts/form.tsx';
import { say } from '../parts/notice.tsx';
import { me, readMe } from '../session/session.ts';
import { setTheme, theme, themes } from '../style/theme.ts';

/** Who one is here, and how the page looks and listens. */
export function AccountScreen() {
  const known = me.value;
  if (!known) return null;
  return (
    <main>
      <h1 tabIndex={-1}>You</h1>
      <div class="sections">
        <section>
          <h2>Name</h2>
          <p class="soft">
            {known.email}, {known.role} of {known.team.name}
          </p>
          <Form
            submit="Save"
            isPrimary={false}
            class="row"
            run={async ({ name }) => {
              await call('PATCH', '/auth/me', { name: name?.trim() || null });
              await readMe();
              say('Saved.');
            }}
          >
            <Field label="Your name">
              <input name="name" defaultValue={known.name ?? ''} maxLength={200} autocomplete="name" />
            </Field>
          </Form>
        </section>
        <section>
          <h2>Password</h2>
          <Form
            submit="Change password"
            isPrimary={false}
            run={async ({ password, current_password }, form) => {
              await call('PATCH', '/auth/me', { password, current_password });
              form.reset();
              say('The password is changed. Your other sessions have ended.');
            }}
          >
            <input
              class="hidden"
              name="email"
              autocomplete="username"
              value={known.email}
              readOnly
              tabIndex={-1}
              aria-hidden="true"
            />
            <Field label="Password until now">
              <input type="password" name="current_password" autocomplete="current-password" required />
            </Field>
            <Field label="New password" hint="At least 10 characters.">
              <input type="password" name="password" autocomplete="new-password" minLength={10} required />
            </Field>
          </Form>
        </section>
        <section>
          <h2>This browser</h2>
          <Field label="Look">
            <select onChange={(event) => setTheme(event.currentTarget.value)}>
              {themes.map(([value, title]) => (
                <option key={value} value={value} selected={value === theme.value}>
                  {title}
                </option>
              ))}
            </select>
          </Field>
          <label class="switch">
            <input
              type="checkbox"
              checked={areKeysOn.value}
              onChange={(event) => turnKeys(event.currentTarget.checked)}
            />{' '}
            Single keys are shortcuts
          </label>
        </section>
      </div>
    </main>
  );
}
