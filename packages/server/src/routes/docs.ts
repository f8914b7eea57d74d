import { apiPrefix, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { plainPagePolicy, setPageHeaders } from '../http/page-headers.ts';
import { assertNoQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** Documents of the API. They are built on the first request, because most servers get none. */
export function docsRoutes(app: H3, services: Services): void {
  const openApi = memoize(async () => (await import('../docs/openapi.ts')).openApiDocument());
  const apiPage = memoize(async () => (await import('../docs/api-page.ts')).apiPage(services.baseUrl));
  const problemsPage = memoize(async () => (await import('../docs/problems-page.ts')).problemsPage());

  // Tools that only know the address of a server look for the document at its root.
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

function memoize<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null;
  return () => (result ??= make());
}
