import { dsnKey } from '../projects/dsn.ts';
import { invalidApiKey } from '../ingest/record-report.ts';
import type { Model } from '../store/model/model.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';

/**
 * Returns the project that a request is for. `key` is the key of its DSN, or its API key. Throws `invalid_api_key` if
 * there is no such project, or if the key is of another one.
 */
export function findSentryProject({ tables }: Model, projectId: number, key: string): ProjectRecord {
  const project = tables.projects.get(projectId);
  if (!project || (key !== dsnKey(project.api_key) && key !== project.api_key)) throw invalidApiKey();
  return project;
}
