import type { H3Event } from 'h3';
import type { Caller } from '../accounts/caller.ts';
import { assertMayWrite } from '../accounts/permissions.ts';
import { findProject } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { authenticate } from './authenticate.ts';
import { pathId } from './path-id.ts';

export interface ProjectCall {
  caller: Caller;
  project: ProjectRecord;
}

/** Returns the caller and the project of the path. The token is checked first, then the id. */
export async function requireProject(services: Services, event: H3Event): Promise<ProjectCall> {
  const caller = await authenticate(services, event);
  return { caller, project: findProject(services, caller, pathId(event, 'id')) };
}

/** Works like `requireProject` for a request that changes something. The role is checked last. */
export async function requireWritableProject(services: Services, event: H3Event): Promise<ProjectCall> {
  const found = await requireProject(services, event);
  assertMayWrite(found.caller);
  return found;
}
