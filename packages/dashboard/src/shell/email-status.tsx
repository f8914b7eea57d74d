import { call } from '../api/call.ts';
import { runWithToast } from '../components/toast.tsx';
import { me } from '../session/session.ts';

/** Asks the user to verify the e-mail address, if the server sends mails and the address is not verified. */
export function EmailStatus() {
  const { email, email_status } = me.value ?? {};
  if (!email_status || email_status === 'verified') return null;
  return (
    <p class={email_status === 'required' ? 'banner' : 'banner quiet'}>
      Your e-mail address is not confirmed.{' '}
      {email_status === 'required' && 'Until you open the link in the mail, you can only read. '}
      <button
        class="small"
        onClick={() => runWithToast(() => call('POST', '/auth/verification'), `A link was sent to ${email}.`)}
      >
        Send a link
      </button>
    </p>
  );
}
