import type { H3Event } from 'h3';
import type { Caller } from '../accounts/caller.ts';
import { assertMayWrite } from '../accounts/permissions.ts';
import { findGroup } from '../groups/groups.ts';
import type { Services } from '../services.ts';
import type { GroupState } from '../store/model/group-state.ts';
import { authenticate } from './authenticate.ts';
import { pathId } from './path-id.ts';

export interface GroupCall {
  caller: Caller;
  group: GroupState;
}

/** Returns the caller and the group of the path. The token is checked first, then the id. */
export async function requireGroup(services: Services, event: H3Event): Promise<GroupCall> {
  const caller = await authenticate(services, event);
  return { caller, group: findGroup(services, caller, pathId(event, 'group_id')) };
}

/** Works like `requireGroup` for a request that changes something. The role is checked last. */
export async function requireWritableGroup(services: Services, event: H3Event): Promise<GroupCall> {
  const found = await requireGroup(services, event);
  assertMayWrite(found.caller);
  return found;
}
