import type { ProblemCode } from '../problem.ts';

/** A problem, for people who got it as an answer. Markdown. */
export interface ProblemText {
  /** What it means, and when it comes. */
  meaning: string;
  /** What to do about it. */
  remedy: string;
  /** The sentence that an answer may have as its `detail`. */
  detail: string;
}

export const problemTexts: Readonly<Record<ProblemCode, ProblemText>> = {
  malformed_json: {
    meaning: 'The body is empty, or is not JSON.',
    remedy: 'Send what `JSON.stringify` made. With curl, look out for quotes that the shell has taken.',
    detail: 'The body is not valid JSON.',
  },
  malformed_multipart: {
    meaning: 'The form can not be read: it has no boundary, breaks off, or has too many parts.',
    remedy:
      "Let the HTTP client make the form and set the `Content-Type`, for only it knows the boundary: `curl -F file=@app.js.map`, or `FormData` with `fetch` and no `Content-Type` of one's own.",
    detail: 'The multipart body can not be read.',
  },
  invalid_signature: {
    meaning:
      'A payment event is not signed by the secret that the server has, or its time is more than 300 seconds off.',
    remedy: 'Compare the secret with the one that the provider shows, and the clock of the server with the time.',
    detail: 'The signature does not fit the body.',
  },
  bad_request: {
    meaning: 'The URL, the headers or the body can not be read as HTTP says.',
    remedy: 'Look for a `%` in the path that is not followed by two digits, and for a body that is not really gzip.',
    detail: 'The URL can not be read.',
  },
  invalid_api_key: {
    meaning: 'A report came with a key that no project has (any more).',
    remedy:
      'Copy the key from the settings of the project, or from `GET /projects/{id}`. It may have been rotated since the app was built.',
    detail:
      'No project has this API key. Copy the current one from the settings of the project: it may have been rotated.',
  },
  missing_token: {
    meaning: 'The call needs an access token, and none came.',
    remedy: 'Sign in by `POST /auth/login` and send the header `Authorization: Bearer <access_token>`.',
    detail: 'Send the header Authorization: Bearer <access token>.',
  },
  invalid_token: {
    meaning:
      'The access token is not one of this server, or its session has ended: signed out, removed, or a refresh token used twice. Of links, invitations and refresh tokens: used already, or expired.',
    remedy: 'Sign in again.',
    detail: 'The access token is not valid here. Sign in again.',
  },
  expired_token: {
    meaning: 'The access token was good and has run out: it lives for 15 minutes.',
    remedy:
      'Get a new one by `POST /auth/refresh`, or sign in again. For CI and tools make a personal access token by `POST /auth/tokens`.',
    detail: 'The access token has expired. Sign in again.',
  },
  invalid_credentials: {
    meaning: 'E-mail and password do not belong together. The answer does not tell which of them is wrong.',
    remedy: 'Try again, or have an owner of the team set a new password.',
    detail: 'E-mail and password do not belong together.',
  },
  forbidden: {
    meaning:
      'The caller is known, but may not do this: the role is too small, or a page of another origin wanted to write by the cookie of the dashboard.',
    remedy: 'Ask an owner of the team, or call with a token that may. `GET /auth/me` tells who one is.',
    detail: 'Viewers can read, but change nothing. Ask an owner of the team.',
  },
  registration_closed: {
    meaning: 'Nobody can open an account here by themselves.',
    remedy: 'Ask an owner for an invitation. The operator opens registration by `SERVICE_REGISTRATION=open`.',
    detail: 'Registration is closed on this server. Ask an owner for an invitation.',
  },
  origin_not_allowed: {
    meaning: 'A page of an origin that is not on the allow-list sent a report.',
    remedy:
      'The operator adds the origin: `--cors-origin https://app.example.com`, `SERVICE_CORS_ORIGINS`, or `PUT /origins`. The log of the server names the origin.',
    detail: 'Pages of this origin may not send reports. The operator of the server has to add it to its allow-list.',
  },
  not_found: {
    meaning: 'There is nothing at this path.',
    remedy: 'Compare the path with the list of calls. All of the API hangs below `/api/v1`.',
    detail: 'There is nothing at this path.',
  },
  project_not_found: {
    meaning: 'There is no such project, or it is another team’s.',
    remedy: '`GET /projects` lists the projects there are.',
    detail: 'There is no project with this id.',
  },
  group_not_found: {
    meaning: 'There is no such error group, it was deleted, or it is another team’s.',
    remedy: '`GET /errors` lists the groups there are.',
    detail: 'There is no error group with this id.',
  },
  report_not_found: {
    meaning: 'The group keeps no such report (any more): only the first and the newest are kept, and for 90 days.',
    remedy:
      '`GET /errors/{group_id}/reports` lists what is kept. `SERVICE_RETENTION_REPORTS` and `SERVICE_RETENTION_DAYS` keep more.',
    detail: 'There is no kept report with this id in the group.',
  },
  source_map_not_found: {
    meaning: 'The project has no such source map.',
    remedy: '`GET /projects/{id}/source-maps` lists those there are.',
    detail: 'There is no source map with this id in the project.',
  },
  summary_not_found: {
    meaning: 'Nobody has asked for an AI explanation of this group yet.',
    remedy: 'Ask for one by `POST /errors/{group_id}/ai-summary`.',
    detail: 'Nobody has asked for an explanation of this group.',
  },
  payment_not_found: {
    meaning: 'There is no such payment, or it is another team’s.',
    remedy: 'Take the `payment_id` that `POST /billing/checkout` answered.',
    detail: 'There is no such payment.',
  },
  member_not_found: {
    meaning: 'The team has no such member.',
    remedy: '`GET /members` lists all of them.',
    detail: 'There is no such member.',
  },
  token_not_found: {
    meaning: 'There is no such personal access token of one’s own.',
    remedy: '`GET /auth/tokens` lists those there are.',
    detail: 'There is no such token.',
  },
  provider_not_found: {
    meaning: 'The server takes no payments by this provider, or by none at all.',
    remedy:
      'The operator sets up Stripe by `SERVICE_STRIPE_KEY` and `SERVICE_STRIPE_WEBHOOK_SECRET`, or the sandbox by `SERVICE_SANDBOX_SECRET`.',
    detail: 'There is no such payment provider.',
  },
  method_not_allowed: {
    meaning: 'The path is there, but not for this method.',
    remedy: 'The header `Allow` names the methods that it knows.',
    detail: 'This path knows GET, HEAD, POST.',
  },
  request_timeout: {
    meaning:
      'The request did not arrive in time: headers within 10 seconds, all of it within 30, an upload within 300, and if others wait for its place not slower than 32 KiB a second.',
    remedy: 'Send it again; over a slow line, packed with gzip.',
    detail: 'The request did not arrive in time.',
  },
  conflict: {
    meaning: 'It does not go together with what is there already.',
    remedy: 'Read what is there, and decide anew.',
    detail: 'It has changed meanwhile.',
  },
  generation_in_progress: {
    meaning: 'An AI explanation of this group is being made already. No unit was taken.',
    remedy: 'Wait for it: `GET /errors/{group_id}/ai-summary`, or the live stream.',
    detail: 'An explanation is being made already.',
  },
  email_taken: {
    meaning: 'Somebody has an account with this e-mail already.',
    remedy: 'Sign in with it, or take another one.',
    detail: 'Somebody has an account with this e-mail already.',
  },
  last_owner: {
    meaning: 'Without this owner the team would have none.',
    remedy: 'Make another member an owner first.',
    detail: 'A team needs an owner. Make another member one first.',
  },
  payload_too_large: {
    meaning:
      'The body is larger than the call takes: 1 MiB for a report, 64 MiB for a source map, 64 KiB for other bodies. It is measured after unpacking.',
    remedy: 'Send less. Large `metadata` is the usual reason with reports.',
    detail: 'The body is larger than 65536 bytes.',
  },
  unsupported_media_type: {
    meaning: 'The body is not of the type that the call takes, or is packed by something other than gzip.',
    remedy: 'Send `Content-Type: application/json`, and `multipart/form-data` for source maps.',
    detail: 'Send the body with Content-Type: application/json.',
  },
  validation_failed: {
    meaning:
      'The request can be read, but a field or a query parameter has a wrong type or value, is missing, or is not known here.',
    remedy: '`errors` names each field, and what is expected of it.',
    detail: 'name: expected string, received number',
  },
  invalid_source_map: {
    meaning: 'The uploaded file is not a source map, or one that is damaged.',
    remedy: 'Upload the `.map` file that the bundler wrote, not the script. `detail` says what is wrong with it.',
    detail: 'The file is not JSON.',
  },
  error_quota_exhausted: {
    meaning:
      'The reports of the plan are used up for this month. The report is not stored. The SDK sends nothing more until its page is reloaded.',
    remedy: 'Wait for the next month (`Retry-After` says how long), or take a larger plan.',
    detail: 'The error quota of the plan is used up for this month.',
  },
  ai_quota_exhausted: {
    meaning: 'The AI explanations of the plan are used up for this month.',
    remedy: 'Wait for the next month (`Retry-After` says how long), or take a larger plan.',
    detail: 'The AI quota of the plan is used up for this month.',
  },
  too_many_requests: {
    meaning:
      'Too many failed sign-ins, too many live streams (there may be 20 of a session or token, and 1,000 of a server), or too many test messages of a project.',
    remedy: 'Wait as long as `Retry-After` says. Close streams that nobody looks at.',
    detail: 'Too many failed sign-ins. Try again later.',
  },
  headers_too_large: {
    meaning: 'The headers of the request are larger than 16 KiB.',
    remedy: 'Look for a proxy or a page that sends large cookies along.',
    detail: 'The headers of the request are too large.',
  },
  internal_error: {
    meaning: 'A defect of the server.',
    remedy: 'Find the `request_id` in the log of the server: the whole error stands there. Please report it.',
    detail: 'Something went wrong on the server. The request id helps to find it in the log.',
  },
  storage_unavailable: {
    meaning: 'The storage does not take what is written: a full disk, or a Redis that is away. Nothing was changed.',
    remedy:
      'Send it again after `Retry-After`. The operator finds the reason in the log; `GET /readyz` tells when it is over.',
    detail: 'The storage does not do its work at the moment. Try again later.',
  },
  overloaded: {
    meaning:
      'More comes in than the server can take, or a service that it needs for this does not answer. Nothing was counted.',
    remedy: 'Send it again after `Retry-After`.',
    detail: 'The server has too much to do at the moment. Try again later.',
  },
  shutting_down: {
    meaning: 'The server is stopping, mostly to start again.',
    remedy: 'Send it again after `Retry-After`.',
    detail: 'The server is stopping.',
  },
  http_version_not_supported: {
    meaning: 'The live stream was asked for over HTTP/1.0, mostly by a proxy in between. It can not work there.',
    remedy: 'Have the proxy speak HTTP/1.1 to the server: `proxy_http_version 1.1;` in nginx.',
    detail: 'The stream needs HTTP/1.1 or HTTP/2.',
  },
};
