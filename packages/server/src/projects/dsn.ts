import { hash } from 'node:crypto';
import { AdmissionCache } from '../cache/admission-cache.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';

/**
 * Returns the DSN of a project, the address that Sentry's SDKs and tools are configured with:
 * `https://<key>@errors.example.com/<project id>`. `baseUrl` has no path.
 */
export function dsnOf({ id, api_key }: Pick<ProjectRecord, 'id' | 'api_key'>, baseUrl: string): string {
  const { protocol, host } = new URL(baseUrl);
  return `${protocol}//${dsnKey(api_key)}@${host}/${id}`;
}

/**
 * Returns the key in the DSN of a project: 32 lower-case hexadecimal digits. Sentry's SDKs accept no `-`, which half of
 * all API keys contain. The key of the DSN is derived from the API key, so rotating one rotates both.
 */
export function dsnKey(apiKey: string): string {
  let key = keysOfDsns.get(apiKey);
  if (key === undefined) keysOfDsns.set(apiKey, (key = hash('sha256', `dsn:${apiKey}`).slice(0, 32)));
  return key;
}

/** Keys of DSNs by API key. Each event of an SDK needs one. */
const keysOfDsns = new AdmissionCache<string>(1_000, 100_000);
