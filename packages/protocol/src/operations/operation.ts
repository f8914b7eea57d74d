import type * as z from 'zod';
import type { ProblemCode } from '../problem.ts';

/** One operation of the API: its input, its responses and its error codes. */
export interface Operation {
  /** The name of the operation in generated clients. */
  id: string;
  method: Method;
  /** One of `paths`: `/projects/:id`. */
  path: string;
  tag: Tag;
  /** A few words without a full stop. */
  summary: string;
  /** Markdown. It adds to the summary and does not repeat it. */
  description?: string;
  auth: Auth;
  /** The minimum role of the caller. Without it, every member of the team is allowed. */
  role?: 'member' | 'owner';
  /** The path parameters by name, in the order of the path. */
  parameters?: Readonly<Record<string, PathParameter>>;
  query?: z.ZodObject;
  body?: RequestBody;
  /** The success responses by status. */
  responses: Readonly<Record<number, OperationResponse>>;
  /** The error codes that do not follow from the other fields: see `problemsOf`. */
  problems?: readonly ProblemCode[];
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * How the caller authenticates. `bearer`: a bearer token or the session cookie. `optional`: as `bearer`, or a token in
 * the body. `api_key`: the key of a project in the body. `signature`: a header that signs the body.
 */
export type Auth = 'bearer' | 'optional' | 'api_key' | 'signature' | 'none';

export interface PathParameter {
  description: string;
  /** The error code for an unknown id, or an id of another team. */
  problem: ProblemCode;
  /** The allowed values, if the parameter is not an id. */
  values?: readonly string[];
}

export interface RequestBody {
  type: 'application/json' | 'multipart/form-data';
  schema: z.ZodType;
  example: unknown;
  /** True if the body can be omitted. */
  optional?: boolean;
}

export interface OperationResponse {
  description: string;
  /** Null means that the response has no body. */
  body: { schema: z.ZodType; example: unknown; type?: string } | null;
}

export const tags = {
  'Sign-in': 'Get and refresh access tokens, and manage the signed-in user.',
  Projects: 'Web apps whose errors are collected, and the API keys of their reports.',
  Errors: 'Send error reports, and read, resolve and delete the groups that they form.',
  'AI explanations': 'Explain the likely cause of an error and suggest a fix.',
  'Live stream': 'Receive changes as server-sent events.',
  'Source maps': 'Upload source maps, so that stacks of minified scripts show the original source.',
  'Personal access tokens': 'Tokens for CI and tools. They do not expire with a session.',
  Members: 'Members of the team and their roles.',
  Notifications: 'E-mail and chat messages about new and returning errors.',
  Origins: 'The origins whose pages can send reports.',
  'Plans and usage': 'Monthly quotas and their usage.',
  Payments: 'Pay for a plan.',
  OpenAPI: 'A description of this API for tools.',
} as const;
export type Tag = keyof typeof tags;

/** Returns all error codes of an operation: those in `problems`, and those that follow from its other fields. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const { auth, role, parameters = {}, body, problems = [], method } = operation;
  const codes = new Set<ProblemCode>(['bad_request']);
  const add = (...more: ProblemCode[]): void => more.forEach((code) => codes.add(code));
  const hasCaller = auth === 'bearer' || auth === 'optional';
  if (hasCaller) add('missing_token', 'invalid_token', 'expired_token', 'team_disabled');
  // A write request with the session cookie is accepted only from a page of this server.
  if (role || (hasCaller && method !== 'get')) add('forbidden');
  if (role) add('email_not_verified');
  for (const { problem } of Object.values(parameters)) add(problem);
  add('request_timeout');
  if (body) add('unsupported_media_type', 'payload_too_large');
  if (body?.type === 'application/json') add('malformed_json');
  if (body?.type === 'multipart/form-data') add('malformed_multipart');
  if (auth === 'signature') add('invalid_signature');
  add('validation_failed', ...problems, 'headers_too_large', 'internal_error', 'storage_unavailable', 'shutting_down');
  return [...codes];
}
