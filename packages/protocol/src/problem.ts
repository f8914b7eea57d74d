import * as z from 'zod';

/** Every error code of the API with its status. Codes are stable; titles and details may change. */
export const problems = {
  malformed_json: { status: 400, title: 'Malformed JSON' },
  malformed_multipart: { status: 400, title: 'Malformed multipart body' },
  invalid_signature: { status: 400, title: 'Invalid signature' },
  bad_request: { status: 400, title: 'Bad request' },
  invalid_api_key: { status: 401, title: 'Invalid API key' },
  missing_token: { status: 401, title: 'Missing token' },
  invalid_token: { status: 401, title: 'Invalid token' },
  expired_token: { status: 401, title: 'Expired token' },
  invalid_credentials: { status: 401, title: 'Invalid credentials' },
  forbidden: { status: 403, title: 'Forbidden' },
  email_not_verified: { status: 403, title: 'E-mail not verified' },
  team_disabled: { status: 403, title: 'Team disabled' },
  registration_closed: { status: 403, title: 'Registration closed' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed' },
  not_found: { status: 404, title: 'Not found' },
  project_not_found: { status: 404, title: 'Project not found' },
  group_not_found: { status: 404, title: 'Error group not found' },
  report_not_found: { status: 404, title: 'Error report not found' },
  source_map_not_found: { status: 404, title: 'Source map not found' },
  summary_not_found: { status: 404, title: 'AI explanation not found' },
  payment_not_found: { status: 404, title: 'Payment not found' },
  member_not_found: { status: 404, title: 'Member not found' },
  token_not_found: { status: 404, title: 'Token not found' },
  provider_not_found: { status: 404, title: 'Payment provider not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  generation_in_progress: { status: 409, title: 'Generation in progress' },
  email_taken: { status: 409, title: 'E-mail taken' },
  last_owner: { status: 409, title: 'Last owner' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Validation failed' },
  invalid_source_map: { status: 422, title: 'Invalid source map' },
  error_quota_exhausted: { status: 429, title: 'Error quota exhausted' },
  ai_quota_exhausted: { status: 429, title: 'AI quota exhausted' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  internal_error: { status: 500, title: 'Internal error' },
  storage_unavailable: { status: 503, title: 'Storage unavailable' },
  overloaded: { status: 503, title: 'Overloaded' },
  shutting_down: { status: 503, title: 'Shutting down' },
  http_version_not_supported: { status: 505, title: 'HTTP version not supported' },
} as const;

export type ProblemCode = keyof typeof problems;

/** One invalid field of a request. */
export const FieldProblem = z.object({ path: z.string(), detail: z.string() });
export type FieldProblem = z.infer<typeof FieldProblem>;

/** The body of every error response: the members of RFC 9457, served as application/json. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  /** A sentence that a person can act on. It never repeats text of the request. */
  detail: z.string(),
  errors: z.array(FieldProblem).optional(),
  request_id: z.string(),
});
export type Problem = z.infer<typeof Problem>;
