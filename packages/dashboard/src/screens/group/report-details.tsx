import type { GroupDetails, ReportDetails } from '@service/protocol';
import { CodeBlock, Snippet } from '../../components/copy.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Disclosure } from '../../components/disclosure.tsx';

/** User, browser, tags and metadata of a report. */
export function ReportContext({ report }: { report: ReportDetails }) {
  const { user, sdk, user_agent, device, tags, metadata, truncated, timestamp, event_id } = report;
  const tagEntries = Object.entries(tags).map(([name, value]): [string, string] => [name, value || '(empty)']);
  const hasMetadata = Object.keys(metadata).length > 0;
  if (!user && !user_agent && !sdk && !device && tagEntries.length === 0 && !hasMetadata) return null;
  return (
    <section id="context">
      <h2>Context</h2>
      <DefinitionList
        entries={[
          ['User', user?.id],
          ['Name', user?.name],
          ['Email', user?.email],
          ['Browser', user_agent],
          ['Window', device?.viewport],
          ['Language', device?.language],
          ['Network', device?.connection],
          ['SDK', sdk && `${sdk.name} ${sdk.version}`],
          ['Event ID', event_id],
          ['Browser time', timestamp],
          ['Truncated fields', Object.keys(truncated).join(', ')],
        ]}
      />
      {tagEntries.length > 0 && (
        <>
          <h3>Tags</h3>
          <DefinitionList entries={tagEntries} />
        </>
      )}
      {hasMetadata && <CodeBlock name="Metadata" text={JSON.stringify(metadata, null, 2)} />}
    </section>
  );
}

export function RawReport({ report }: { report: ReportDetails }) {
  return (
    <Disclosure title="Raw JSON" id="raw">
      <Snippet text={JSON.stringify(report, null, 2)} name="The report as JSON" />
    </Disclosure>
  );
}

/** Names of the grouping rules. A newer server may have others. */
const ruleNames: Record<string, string> = {
  custom: 'fingerprint set by the app',
  kind: 'kind of error',
  recursion: 'recursive calls',
  source: 'source location',
  file: 'file',
  bundle: 'function in the bundle',
  library: 'library location',
  text: 'message',
};

/** Explains the grouping, with the inputs of the fingerprint. */
export function Grouping({ group: { grouping, fingerprint } }: { group: GroupDetails }) {
  const { rule, components, version } = grouping;
  return (
    <Disclosure title="Why these reports are grouped" id="grouping">
      <p>
        {rule === 'custom'
          ? 'The app has given these reports the same fingerprint, which is made of the texts below. Their messages and stacks may differ.'
          : 'These reports have the same fingerprint, which is computed from the inputs below. Line, column, URL and release are not among them: when they change, the error stays the same.'}
      </p>
      <p class="soft">Grouped by: {ruleNames[rule] ?? rule}</p>
      <ol class="components">
        {components.map((component, index) => (
          <li key={index} dir="auto">
            {component}
          </li>
        ))}
      </ol>
      <p class="soft">
        Fingerprint <code>{fingerprint}</code>, version {version}
      </p>
    </Disclosure>
  );
}
