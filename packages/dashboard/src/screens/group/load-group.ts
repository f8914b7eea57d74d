import type { GroupDetails, ReportDetails, Resolution } from '@service/protocol';
import { get } from '../../api/call.ts';

/** An error and one of its reports. */
export interface LoadedGroup {
  group: GroupDetails;
  report: ReportDetails | null;
  /** Null if there is no report, if all of its frames are resolved, or if it is not the latest. */
  resolution: Resolution | null;
}

/**
 * Loads a group with the given report, or with its latest one. While reports keep arriving, the server drops the
 * oldest: `shown` is the report on the screen, which stays when it is no longer stored.
 */
export async function loadGroup(
  groupId: number,
  reportId: number | null,
  shown: ReportDetails | null | undefined,
): Promise<LoadedGroup> {
  const path = `/errors/${groupId}`;
  const [group, chosenReport] = await Promise.all([
    get<GroupDetails>(path),
    reportId === null
      ? null
      : get<ReportDetails>(`${path}/reports/${reportId}`).catch((error: unknown) => {
          if (shown?.id !== reportId) throw error;
          return shown;
        }),
  ]);
  const report = chosenReport ?? group.latest_report;
  // The API has the resolution of the latest report only.
  const needsResolution = report?.id === group.latest_report?.id && report?.frames.some(({ resolved }) => !resolved);
  return { group, report, resolution: needsResolution ? await get<Resolution>(`${path}/resolution`) : null };
}
