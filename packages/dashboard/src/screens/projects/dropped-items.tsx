import type { DroppedItems as Dropped } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { DefinitionList } from '../../components/definition-list.tsx';
import { DateTime } from '../../components/time.tsx';
import { formatNumber } from '../../format/count.ts';

/** What SDKs of Sentry sent besides errors. Shows nothing if they sent nothing else. */
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
