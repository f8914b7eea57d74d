import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportRequests } from './load/report-requests.mjs';
import { sendReports } from './load/send-reports.mjs';
import { folderBytes } from './measure/folder-size.mjs';
import { waitUntilIdle } from './measure/wait-until-idle.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { figure, table } from './output/table.mjs';
import { progress } from './output/progress.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Disk: growth when the same groups get twice the number of reports';

export const defaults = {
  /** The number of reports that are sent before each of the two measurements. */
  reports: 200_000,
  groups: 1_000,
  retentionReports: 20,
  connections: 64,
};

export const full = { reports: 2_000_000 };

/** @param {typeof defaults} options */
export async function run({ reports: count, groups, retentionReports, connections }) {
  const folder = join(temporaryFolder(), 'storage');
  const service = await startService(folder, { env: { SERVICE_RETENTION_REPORTS: String(retentionReports) } });
  const { id, api_key } = await service.createProject('disk');
  const reports = reportRequests({ url: service.reportsUrl, apiKey: api_key, groups });

  const measured = [];
  let maxBytes = 0;
  for (const times of [1, 2]) {
    await sendReports(service.reportsUrl, reports, {
      count,
      connections,
      onProgress(sent) {
        maxBytes = Math.max(maxBytes, folderBytes(folder));
        progress(`${figure((times - 1) * count + sent)} reports, ${megabytes(folderBytes(folder))}`);
      },
    });
    await compacted(service.pid, folder);
    measured.push({ reports: times * count, bytes: folderBytes(folder), maxBytes });
  }
  const counted = await service.count(id);
  if (counted.reports !== 2 * count)
    throw new Error(`Sent ${2 * count} reports; the server counted ${counted.reports}.`);
  await service.stop();

  const [once, twice] = measured;
  return {
    text: table(
      ['reports', 'on disk, compacted', 'maximum until then'],
      measured.map((row) => [figure(row.reports), megabytes(row.bytes), megabytes(row.maxBytes)]),
    ),
    checks: [
      {
        name: `${figure(twice.reports)} ÷ ${figure(once.reports)} reports`,
        value: twice.bytes / once.bytes,
        unit: '',
        atMost: 1.2,
      },
    ],
    data: measured,
  };
}

/**
 * Waits until the server is idle and the folder has kept its size for three seconds.
 *
 * @param {number} pid
 * @param {string} folder
 */
async function compacted(pid, folder) {
  for (;;) {
    await waitUntilIdle(pid);
    const before = folderBytes(folder);
    await sleep(3_000);
    if (folderBytes(folder) === before) return;
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${figure(bytes / 1e6, 1)} MB`;
}
