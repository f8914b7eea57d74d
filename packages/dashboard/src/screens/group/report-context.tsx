import type { ReportDetails } from '@service/protocol';
import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../../components/code-block.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { SafeLink } from '../../components/safe-link.tsx';

/** URL, release, user, browser, tags and metadata of a report. */
export function ReportContext({ report }: { report: ReportDetails }) {
  const { url, environment, release, user, sdk, user_agent, device, tags, metadata, truncated } = report;
  const { timestamp, event_id } = report;
  const entries: [string, ComponentChildren][] = [
    ['URL', url && <SafeLink url={url} />],
    ['Environment', environment],
    ['Release', release],
    ['User', user?.id],
    ['Name', user?.name],
    ['E-mail', user?.email],
    ['Browser', user_agent],
    ['Window', device?.viewport],
    ['Language', device?.language],
    ['Network', device?.connection],
    ['SDK', sdk && `${sdk.name} ${sdk.version}`],
    ['Event ID', event_id],
    ['Client time', timestamp],
    ['Truncated fields', Object.keys(truncated).join(', ')],
  ];
  const tagEntries = Object.entries(tags).map(([name, value]): [string, string] => [name, value || '(empty)']);
  const metadataEntries = Object.entries(metadata);
  const otherEntries = metadataEntries.filter((entry) => !isMultiLine(entry));
  if (!entries.some(([, value]) => value) && tagEntries.length + metadataEntries.length === 0) return null;
  return (
    <section id="context">
      <h2>Context</h2>
      <DefinitionList entries={entries} />
      {tagEntries.length > 0 && (
        <>
          <h3>Tags</h3>
          <DefinitionList entries={tagEntries} />
        </>
      )}
      {otherEntries.length > 0 && (
        <CodeBlock name="Metadata" text={JSON.stringify(Object.fromEntries(otherEntries), null, 2)} />
      )}
      {metadataEntries.filter(isMultiLine).map(([name, text]) => (
        <div key={name}>
          <h3 dir="auto">{name}</h3>
          <CodeBlock name={name} text={text.replace(/^\n/, '')} />
        </div>
      ))}
    </section>
  );
}

/** A text of several lines, such as the component stack of React, is unreadable as JSON. */
const isMultiLine = (entry: [name: string, value: unknown]): entry is [string, string] =>
  typeof entry[1] === 'string' && entry[1].includes('\n');
