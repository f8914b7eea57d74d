import { apiPrefix, LinkInput, LoginInput, paths } from '@service/protocol';
import type { H3 } from 'h3';
import { signIn, signInByLink } from '../accounts/sign-in.ts';
import { readBody } from '../http/body.ts';
import type { Services } from '../services.ts';

/** Ways to get an access token. */
export function authRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.login, async (event) => signIn(services, await readBody(event, LoginInput)));
  app.post(apiPrefix + paths.useLink, async (event) => signInByLink(services, await readBody(event, LinkInput)));
}
