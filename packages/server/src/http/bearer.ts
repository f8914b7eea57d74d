import type { H3Event } from 'h3';
import { readCaller, type Caller } from '../accounts/caller.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/** Who calls, by the header `Authorization: Bearer …`. Throws `missing_token`, `invalid_token` or `expired_token`. */
export async function authenticate(services: Services, event: H3Event): Promise<Caller> {
  const header = event.req.headers.get('authorization') ?? '';
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined)
    throw new ProblemError('missing_token', 'Send the header Authorization: Bearer <access token>.');
  return readCaller(services, token);
}
