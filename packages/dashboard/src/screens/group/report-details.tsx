import type { GroupDetails, ReportDetails } from '@service/protocol';
import { Pre, Snippet } from '../../components/copy.tsx';
import { Fold } from '../../components/disclosure.tsx';
import { Lines } from '../../components/definition-list.tsx';
import { Prose } from '../../components/prose.tsx';

/** Who and what the report is about, beside the error itself. */
export function Metadata({ report }: { report: ReportDetails }) {
  const { user, sdk, user_agent, metadata, truncated, timestamp, event_id } = report;
  const hasMetadata = Object.keys(metadata).length > 0;
  if (!user && !user_agent && !sdk && !hasMetadata) return null;
  return (
    <section id="context">
      <h2>Context</h2>
      <Lines
        of={[
          ['User', user?.id],
          ['Browser', user_agent],
          ['SDK', sdk && `${sdk.name} ${sdk.version}`],
          ['Event id', event_id],
          ['Its clock', timestamp],
          ['Cut', Object.keys(truncated).join(', ')],
        ]}
      />
      {hasMetadata && <Pre name="Metadata" text={JSON.stringify(metadata, null, 2)} />}
    </section>
  );
}

export function RawReport({ report }: { report: ReportDetails }) {
  return (
    <Fold title="Raw JSON" id="raw">
      <Snippet text={JSON.stringify(report, null, 2)} name="The report as JSON" />
    </Fold>
  );
}

export function WhyGrouped({ group: { grouping, fingerprint } }: { group: GroupDetails }) {
  return (
    <Fold title="Why these reports are one error" id="grouping">
      <Prose id="why-grouped" />
      <p class="soft">By the rule “{grouping.rule.replaceAll(/[_-]/g, ' ')}”:</p>
      <ol class="components">
        {grouping.components.map((component, index) => (
          <li key={index} dir="auto">
            {component}
          </li>
        ))}
      </ol>
      <p class="soft">
        Fingerprint <code>{fingerprint}</code>, version {grouping.version}
      </p>
    </Fold>
  );
}
