import { apiPrefix, PageQuery, paths, PersonalTokenInput } from '@service/protocol';
import type { H3 } from 'h3';
import {
  createPersonalToken,
  deletePersonalToken,
  findOwnToken,
  listPersonalTokens,
} from '../accounts/personal-tokens.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody } from '../http/body.ts';
import { assertNoQuery, readQuery } from '../http/query.ts';
import { pathId } from '../http/path-id.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/** Personal access tokens for CI and tools. Every member manages their own, viewers too. */
export function personalTokenRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.personalTokens, async (event) => {
    const caller = await authenticate(services, event);
    // Otherwise a leaked token could create others that outlive it.
    if (caller.credential.kind === 'token')
      throw new ProblemError('forbidden', 'A personal access token cannot create another one. Sign in to create one.');
    const token = await createPersonalToken(services, caller, await readBody(event, PersonalTokenInput));
    event.res.status = 201;
    return token;
  });

  app.get(apiPrefix + paths.personalTokens, async (event) => {
    const caller = await authenticate(services, event);
    return listPersonalTokens(services, caller, readQuery(event, PageQuery));
  });

  app.delete(apiPrefix + paths.personalToken, async (event) => {
    const caller = await authenticate(services, event);
    const token = findOwnToken(services, caller, pathId(event, 'id'));
    assertNoQuery(event);
    await deletePersonalToken(services, caller, token);
    event.res.status = 204;
    return null;
  });
}
