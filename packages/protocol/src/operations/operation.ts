import type * as z from 'zod';
import type { ProblemCode } from '../problem.ts';

/** One call of the API: what it takes, what it answers, and how it may say no. */
export interface Operation {
  /** What the call is named in generated clients. */
  id: string;
  method: Method;
  /** One of `paths`, as routes write it: `/projects/:id`. */
  path: string;
  tag: Tag;
  /** A few words. */
  summary: string;
  /** Markdown: what the summary leaves open. */
  description?: string;
  auth: Auth;
  /** The least role that may; without it, all of the team may. Only where there is a caller. */
  role?: 'member' | 'owner';
  /** What stands in the path, by its name there. */
  parameters?: Readonly<Record<string, PathParameter>>;
  query?: z.ZodObject;
  body?: RequestBody;
  /** By status. A body of null: there is none. */
  answers: Readonly<Record<number, AnswerBody>>;
  /** How it may say no besides what goes without saying: see `problemsOf`. */
  problems?: readonly ProblemCode[];
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * `bearer`: a token, or the session cookie; `optional`: or something in the body. `api_key`: the key of a project, in the
 * body. `signature`: of the body, in a header.
 */
export type Auth = 'bearer' | 'optional' | 'api_key' | 'signature' | 'none';

export interface PathParameter {
  description: string;
  /** Said of an id that nobody has, or that is another team's. */
  problem: ProblemCode;
  /** What it may be, where it is a word and no id. */
  words?: readonly string[];
}

export interface RequestBody {
  type: 'application/json' | 'multipart/form-data';
  schema: z.ZodType;
  example: unknown;
  /** It may be left out. */
  optional?: boolean;
}

export interface AnswerBody {
  description: string;
  /** Null: the answer has no body. */
  body: { schema: z.ZodType; example: unknown; type?: string } | null;
}

export const tags = {
  'Sign-in': 'How to get an access token.',
  Projects: 'Web apps whose errors are collected, and the keys that they report with.',
  Errors: 'Reports come in, and the groups that they make up are read and settled.',
  'AI explanations': 'What an error means, and what to do about it.',
  'Live stream': 'What happens is told to whoever listens.',
  'Source maps': 'With them, the stacks of minified scripts read like the original source.',
  'Personal access tokens': 'Tokens for CI and tools, which do not expire with a session.',
  Members: 'Who belongs to the team, and what they may do.',
  Notifications: 'Who is told of new and returning errors, and how.',
  Origins: 'Whose pages may send reports.',
  'Plans and usage': 'What a team may use a month, and what it has used.',
  Payments: 'How a team gets a plan that costs something.',
  'Machine description': 'This API, as programs read it.',
} as const;
export type Tag = keyof typeof tags;

/** Every code that a call may be refused with: those that its row names, and those that follow from the rest of the row. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const { auth, role, parameters = {}, body, problems = [], method } = operation;
  const codes = new Set<ProblemCode>(['bad_request']);
  const add = (...more: ProblemCode[]): void => more.forEach((code) => codes.add(code));
  const hasCaller = auth === 'bearer' || auth === 'optional';
  if (hasCaller) add('missing_token', 'invalid_token', 'expired_token');
  // A cookie alone may only write from a page of the server itself.
  if (role || (hasCaller && method !== 'get')) add('forbidden');
  for (const { problem } of Object.values(parameters)) add(problem);
  add('request_timeout');
  if (body) add('unsupported_media_type', 'payload_too_large');
  if (body?.type === 'application/json') add('malformed_json');
  if (body?.type === 'multipart/form-data') add('malformed_multipart');
  if (auth === 'signature') add('invalid_signature');
  add('validation_failed', ...problems, 'headers_too_large', 'internal_error', 'storage_unavailable', 'shutting_down');
  return [...codes];
}
