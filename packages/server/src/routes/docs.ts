import { apiPrefix, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { plainPagePolicy, setPageHeaders } from '../http/page-headers.ts';
import { assertNoQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** What the API is, told to programs and to people. Made when it is first asked for: most servers never are. */
export function docsRoutes(app: H3, services: Services): void {
  const openApi = once(async () => (await import('../docs/openapi.ts')).openApiDocument());
  const apiPage = once(async () => (await import('../docs/api-page.ts')).apiPage(services.baseUrl));
  const problemsPage = once(async () => (await import('../docs/problems-page.ts')).problemsPage());

  // Tools that are given no more than the address of a server look for it at its root.
  for (const path of [apiPrefix + paths.openapi, paths.openapi]) {
    app.get(path, (event) => {
      assertNoQuery(event);
      return openApi();
    });
  }

  app.get('/docs/api', (event) => asPage(event, apiPage()));
  app.get('/docs/problems', (event) => asPage(event, problemsPage()));
}

function asPage<Text>(event: H3Event, text: Text): Text {
  setPageHeaders(event, 'text/html; charset=utf-8', plainPagePolicy);
  return text;
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | null = null;
  return () => (made ??= make());
}
