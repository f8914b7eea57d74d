import { InvitationInput, Member, MemberChange, MemberInput, NewMember } from '../member.ts';
import { PageQuery } from '../page.ts';
import { paths } from '../paths.ts';
import { signedIn } from './auth.ts';
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

const ofMember = {
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
    answers: {
      200: { description: 'A page of members.', body: { schema: MemberPage, example: pageExample(memberExample) } },
    },
  },
  {
    id: 'addMember',
    method: 'post',
    path: paths.members,
    tag: 'Members',
    summary: 'Add a member, or invite one',
    description:
      'Without a `password` the member is invited: the answer has an `invite_url`, shown only there, where a password is chosen, once, within 24 hours.',
    auth: 'bearer',
    role: 'owner',
    body: {
      type: 'application/json',
      schema: MemberInput,
      example: { email: 'grace@shop.example', role: 'member', name: 'Grace' },
    },
    answers: { 201: { description: 'The member.', body: { schema: NewMember, example: invitedExample } } },
    problems: ['email_taken', 'conflict', 'overloaded'],
  },
  {
    id: 'changeMember',
    method: 'patch',
    path: paths.member,
    tag: 'Members',
    summary: "Change a member's role, name or password",
    description: 'What is absent stays as it is.',
    auth: 'bearer',
    role: 'owner',
    parameters: ofMember,
    body: { type: 'application/json', schema: MemberChange, example: { role: 'viewer' } },
    answers: {
      200: {
        description: 'The member as it is now.',
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
    description: 'Sessions and tokens of the member end at once.',
    auth: 'bearer',
    role: 'owner',
    parameters: ofMember,
    answers: { 204: { description: 'The member is gone.', body: null } },
    problems: ['last_owner'],
  },
  {
    id: 'acceptInvitation',
    method: 'post',
    path: paths.acceptInvitation,
    tag: 'Sign-in',
    summary: 'Accept an invitation',
    description: 'The token stands in the `invite_url` behind `=`. It works once, within 24 hours.',
    auth: 'none',
    body: {
      type: 'application/json',
      schema: InvitationInput,
      example: { token: 'b25seSBhbiBleGFtcGxl', password: 'correct horse battery', name: 'Grace' },
    },
    answers: { 201: signedIn },
    problems: ['invalid_token', 'overloaded'],
  },
];
