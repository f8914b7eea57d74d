import type { GroupDetails } from '@service/protocol';
import { Disclosure } from '../../components/disclosure.tsx';
import { param } from '../../router/address.ts';
import { LazyScreen } from '../lazy-screen.tsx';

/** The stored reports of a group, on demand. */
export function Reports(props: { group: GroupDetails; current: number | null }) {
  return (
    <Disclosure title="All reports" id="reports" isOpen={param('reports') !== ''}>
      <LazyScreen name="ReportList" props={props} />
    </Disclosure>
  );
}
