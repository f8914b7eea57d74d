import { InvitationInput, Member, MemberChange, MemberInput, NewMember, TeamDeletion } from '../member.ts';
import { PageQuery } from '../pagination.ts';
import { paths } from '../paths.ts';
import { signedInResponse } from './auth.ts';
import type { Operation, PathParameter } from './operation.ts';
import { pageExample, pageSchema } from './page-schema.ts';

export const MemberPage = pageSchema(Member);

const memberExample: Member = {
  id: 2,
  email: 'grace@shop.example',
  name: 'Grace',
  role: 'member',
  status: 'active',
  created_at: '2026-11-20T09:00:00.000Z',
};

const invitedExample: NewMember = {
  ...memberExample,
  status: 'invited',
  invite_url: 'https://errors.example.com/#invitation=b25seSBhbiBleGFtcGxl',
};

const memberParameters = {
  id: { description: 'Id of the member.', problem: 'member_not_found' },
} as const satisfies Record<string, PathParameter>;

export const memberOperations: Operation[] = [
  {
    id: 'listMembers',
    method: 'get',
    path: paths.members,
    tag: 'Members',
    summary: 'List the members of the team',
    auth: 'bearer',
    query: PageQuery,
    responses: {
      200: { description: 'A page of members.', body: { schema: MemberPage, example: pageExample(memberExample) } },
    },
  },
  {
    id: 'addMember',
    method: 'post',
    path: paths.members,
    tag: 'Members',
    summary: 'Add or invite a member',
    description:
      'Without a `password` the member is invited. The response then has an `invite_url`, the page on which the member chooses a password. It works once, within 24 hours, and is returned only in this response.',
    auth: 'bearer',
    role: 'owner',
    body: {
      type: 'application/json',
      schema: MemberInput,
      example: { email: 'grace@shop.example', role: 'member', name: 'Grace' },
    },
    responses: { 201: { description: 'The member.', body: { schema: NewMember, example: invitedExample } } },
    problems: ['email_taken', 'conflict', 'overloaded'],
  },
  {
    id: 'changeMember',
    method: 'patch',
    path: paths.member,
    tag: 'Members',
    summary: 'Update a member',
    description: 'Changes role, name or password. Absent fields keep their value.',
    auth: 'bearer',
    role: 'owner',
    parameters: memberParameters,
    body: { type: 'application/json', schema: MemberChange, example: { role: 'viewer' } },
    responses: {
      200: {
        description: 'The updated member.',
        body: { schema: Member, example: { ...memberExample, role: 'viewer' } },
      },
    },
    problems: ['last_owner', 'overloaded'],
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: paths.member,
    tag: 'Members',
    summary: 'Remove a member',
    description: 'All sessions and tokens of the member are revoked immediately.',
    auth: 'bearer',
    role: 'owner',
    parameters: memberParameters,
    responses: { 204: { description: 'The member is removed.', body: null } },
    problems: ['last_owner'],
  },
  {
    id: 'deleteTeam',
    method: 'post',
    path: paths.deleteTeam,
    tag: 'Members',
    summary: 'Delete the team with everything that belongs to it',
    description:
      'Deletes its projects, reports, source maps, payments and all accounts of its members. The team that operates the server can’t be deleted.',
    auth: 'bearer',
    role: 'owner',
    body: {
      type: 'application/json',
      schema: TeamDeletion,
      example: { current_password: 'correct horse battery', team_name: 'Shop' },
    },
    responses: { 204: { description: 'The team is deleted.', body: null } },
    problems: ['invalid_credentials', 'conflict', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'acceptInvitation',
    method: 'post',
    path: paths.acceptInvitation,
    tag: 'Sign-in',
    summary: 'Accept an invitation',
    description: 'The token follows `#invitation=` in the `invite_url`. It works once, within 24 hours.',
    auth: 'none',
    body: {
      type: 'application/json',
      schema: InvitationInput,
      example: { token: 'b25seSBhbiBleGFtcGxl', password: 'correct horse battery', name: 'Grace' },
    },
    responses: { 201: signedInResponse },
    problems: ['invalid_token', 'team_disabled', 'overloaded'],
  },
];
