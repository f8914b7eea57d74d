import type { GroupDetails, ReportDetails } from '@service/protocol';
import { CopyButton } from '../parts/copy.tsx';
import { address } from '../router/address.ts';

/** Who and what the report is about, beside the error itself. */
export function Metadata({ report }: { report: ReportDetails }) {
  const { user, sdk, user_agent, metadata, truncated, timestamp, event_id } = report;
  const facts: [string, string | null | undefined][] = [
    ['User', user?.id],
    ['Browser', user_agent],
    ['SDK', sdk && `${sdk.name} ${sdk.version}`],
    ['Event id', event_id],
    ['Time on the device', timestamp],
    ['Cut', Object.keys(truncated).length > 0 ? sayTruncated(truncated) : null],
  ];
  const known = facts.filter(([, value]) => value);
  const hasMetadata = Object.keys(metadata).length > 0;
  if (known.length === 0 && !hasMetadata) return null;
  return (
    <section id="context">
      <h2>Context</h2>
      <dl class="lines">
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {hasMetadata && (
        <pre tabIndex={0} role="region" aria-label="Metadata">
          {JSON.stringify(metadata, null, 2)}
        </pre>
      )}
    </section>
  );
}

function sayTruncated(truncated: ReportDetails['truncated']): string {
  return Object.entries(truncated)
    .map(([field, was]) =>
      was === 'dropped' ? `${field} could not be read` : `${field} (was ${was.toLocaleString()})`,
    )
    .join(', ');
}

export function RawReport({ report }: { report: ReportDetails }) {
  const text = JSON.stringify(report, null, 2);
  return (
    <details class="fold" id="raw" open={address.value.hash === '#raw'}>
      <summary>Raw JSON</summary>
      <CopyButton text={text} name="the report as JSON" />
      <pre tabIndex={0} role="region" aria-label="The report as JSON">
        {text}
      </pre>
    </details>
  );
}

export function WhyGrouped({ group: { grouping, fingerprint } }: { group: GroupDetails }) {
  return (
    <details class="fold" id="grouping" open={address.value.hash === '#grouping'}>
      <summary>Why these reports are one error</summary>
      <p>
        They agree in what was hashed, by the rule <b>{grouping.rule.replaceAll(/[_-]/g, ' ')}</b>: line and column, URL
        and release are left out, so that none of them splits one bug in two.
      </p>
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
    </details>
  );
}
