import type { DroppedItems as Dropped } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { DefinitionList } from '../../components/definition-list.tsx';
import { DateTime } from '../../components/time.tsx';
import { formatNumber } from '../../format/count.ts';

/** Shows what SDKs of Sentry sent besides errors, and how many errors they did not send. Empty if there is neither. */
export function DroppedItems({ projectId }: { projectId: number }) {
  const { value } = useLoad<Dropped>(`/projects/${projectId}/dropped-items`);
  if (!value) return null;
  const { since, sent, unsent } = value;
  const entries = [
    ...Object.entries(sent),
    ...Object.entries(unsent).map(([reason, count]): [string, number] => [`errors not sent: ${reason}`, count]),
  ];
  if (entries.length === 0) return null;
  return (
    <section>
      <hgroup>
        <h3>Not stored</h3>
        <p>
          SDKs of Sentry also sent this since <DateTime at={since} time="short" />. Only errors are stored.
        </p>
      </hgroup>
      <DefinitionList entries={entries.map(([name, count]) => [name.replaceAll('_', ' '), formatNumber(count)])} />
    </section>
  );
}
