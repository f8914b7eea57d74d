import type { GroupDetails, ReportDetails, Resolution } from '@service/protocol';
import { get } from '../../api/call.ts';

/** An error, and the report of it that is read. */
export interface Shown {
  group: GroupDetails;
  report: ReportDetails | null;
  resolution: Resolution | null;
}

export async function readGroup(groupId: number, reportId: number | null): Promise<Shown> {
  const path = `/errors/${groupId}`;
  const [group, report] = await Promise.all([
    get<GroupDetails>(path),
    reportId === null ? null : get<ReportDetails>(`${path}/reports/${reportId}`),
  ]);
  const shown = report ?? group.latest_report;
  // The verdicts are of the latest report; one whose frames are all readable needs none.
  const needsVerdict = shown?.id === group.latest_report?.id && shown?.frames.some(({ resolved }) => !resolved);
  return { group, report: shown, resolution: needsVerdict ? await get<Resolution>(`${path}/resolution`) : null };
}
