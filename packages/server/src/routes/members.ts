import {
  apiPrefix,
  InvitationInput,
  MemberChange,
  MemberInput,
  PageQuery,
  paths,
  TeamDeletion,
} from '@service/protocol';
import type { H3, H3Event } from 'h3';
import type { Caller } from '../accounts/caller.ts';
import { assertOwner } from '../accounts/permissions.ts';
import { acceptInvitation } from '../accounts/invitations.ts';
import { addMember, updateMember, findMember, listMembers, removeMember } from '../accounts/members.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import { assertNoQuery, readQuery } from '../http/query.ts';
import { pathId } from '../http/path-id.ts';
import { deleteSessionCookie } from '../http/session-cookie.ts';
import type { Services } from '../services.ts';
import type { UserRecord } from '../store/records/account-records.ts';
import { deleteTeam } from '../teams/deletion/delete-team.ts';

/** Members of a team, invitations, and the deletion of the team. */
export function memberRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.acceptInvitation, async (event) => {
    const tokens = await acceptInvitation(services, await readBody(event, InvitationInput));
    event.res.status = 201;
    return tokens;
  });

  app.get(apiPrefix + paths.members, async (event) => {
    const caller = await authenticate(services, event);
    return listMembers(services, caller, readQuery(event, PageQuery));
  });

  app.post(apiPrefix + paths.members, async (event) => {
    const caller = await authenticate(services, event);
    assertOwner(caller);
    const member = await addMember(services, caller, await readBody(event, MemberInput));
    event.res.status = 201;
    return member;
  });

  app.patch(apiPrefix + paths.member, async (event) => {
    const { caller, member } = await writable(event);
    return updateMember(services, caller, member, await readBody(event, MemberChange));
  });

  app.delete(apiPrefix + paths.member, async (event) => {
    const { caller, member } = await writable(event);
    assertNoQuery(event);
    await removeMember(services, caller, member);
    event.res.status = 204;
    return null;
  });

  app.post(apiPrefix + paths.deleteTeam, async (event) => {
    const caller = await authenticate(services, event);
    assertOwner(caller);
    await deleteTeam(services, caller, await readBody(event, TeamDeletion), clientAddress(services, event));
    if (caller.credential.kind === 'cookie') deleteSessionCookie(services, event);
    event.res.status = 204;
    return null;
  });

  async function writable(event: H3Event): Promise<{ caller: Caller; member: UserRecord }> {
    const caller = await authenticate(services, event);
    const member = findMember(services, caller, pathId(event, 'id'));
    assertOwner(caller);
    return { caller, member };
  }
}
