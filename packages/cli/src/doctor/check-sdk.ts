import type { ErrorGroup, GroupDetails, Page } from '@service/protocol';
import { ok, problem, unknown, type Check } from './check.ts';

/** Checks that the SDK of the latest report is not older than that of the server. */
export const checkSdk: Check = async ({ api, project }) => {
  const query = { project_id: project.id, size: 1 };
  const [group] = (await api.call<Page<ErrorGroup>>('GET', '/errors', { query })).items;
  if (!group)
    return unknown(
      'sdk',
      'No error has arrived yet.',
      "Throw one in the page: setTimeout(() => { throw new Error('test') })",
    );
  const { latest_report: report } = await api.call<GroupDetails>('GET', `/errors/${group.error_group_id}`);
  const response = await fetch(`${api.endpoint}/packages`, { headers: { Accept: 'application/json' } });
  const { packages = [] } = (await response.json().catch(() => ({}))) as {
    packages?: { name: string; version: string; files?: { pinned_url: string }[] }[];
  };
  const current = packages.find(({ name }) => name === report?.sdk?.name);
  if (!report?.sdk || !current) return unknown('sdk', 'The latest report was not sent by an SDK of this server.');
  if (!isOlder(report.sdk.version, current.version))
    return ok('sdk', `The latest report came from ${current.name} ${report.sdk.version}.`);
  return problem(
    'sdk',
    `The latest report came from ${current.name} ${report.sdk.version}; the server has ${current.version}.`,
    `npm install ${current.files?.[0]?.pinned_url ?? `${api.endpoint}/packages/browser.tgz`}`,
    `${api.endpoint}/packages`,
  );
};

/** Compares versions by their numbers. */
function isOlder(used: string, current: string): boolean {
  const [left, right] = [versionNumbers(used), versionNumbers(current)];
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] || 0) - (right[index] || 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function versionNumbers(version: string): number[] {
  return version.split(/[.-]/).map(Number);
}
