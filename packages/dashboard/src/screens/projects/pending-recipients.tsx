import type { Page, Recipient } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { runWithToast } from '../../components/toast.tsx';
import { canWrite } from '../../session/permissions.ts';

/** The recipients who get no e-mails: they have not confirmed their address, or declined. */
export function PendingRecipients({ path }: { path: string }) {
  const { value, reload } = useLoad<Page<Recipient>>(`${path}/recipients`);
  const pending = value?.items.filter(({ status }) => status !== 'confirmed') ?? [];
  return pending.map(({ email, status }) => (
    <p key={email} class="banner quiet">
      {email}{' '}
      {status === 'declined' ? (
        'declined e-mails of this team.'
      ) : (
        <>
          is waiting for confirmation and gets no e-mails until then.{' '}
          {canWrite() && (
            <button
              class="small"
              onClick={() =>
                runWithToast(() => call('POST', `${path}/recipients/ask`, { email }).then(reload), `Sent to ${email}.`)
              }
            >
              Send again
            </button>
          )}
        </>
      )}
    </p>
  ));
}
