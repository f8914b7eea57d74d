import type { ReportDetails } from '@service/protocol';
import { Snippet } from '../../components/snippet.tsx';
import { Disclosure } from '../../components/disclosure.tsx';

export function RawReport({ report }: { report: ReportDetails }) {
  return (
    <Disclosure title="Raw JSON" id="raw">
      <Snippet text={JSON.stringify(report, null, 2)} name="The report as JSON" />
    </Disclosure>
  );
}
