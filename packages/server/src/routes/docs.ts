import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { apiPrefix, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { serveCompressed, type CompressedFile } from '../http/compressed-file.ts';
import { plainPagePolicy, setPageHeaders } from '../http/page-headers.ts';
import { assertNoQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** Documents of the API. They are built on the first request, because most servers get none. */
export function docsRoutes(app: H3, services: Services): void {
  const openApi = memoize(async () => JSON.stringify((await import('../docs/openapi.ts')).openApiDocument()));
  const apiPage = memoize(async () => (await import('../docs/api-page.ts')).apiPage(services.baseUrl));
  const problemsPage = memoize(async () => (await import('../docs/problems-page.ts')).problemsPage());

  // Tools that only know the address of a server look for the document at its root.
  for (const path of [apiPrefix + paths.openapi, paths.openapi]) {
    app.get(path, async (event) => {
      assertNoQuery(event);
      const document = await openApi();
      event.res.headers.set('content-type', 'application/json');
      return serveCompressed(event, document);
    });
  }

  app.get('/docs/api', (event) => asPage(event, apiPage));
  app.get('/docs/problems', (event) => asPage(event, problemsPage));
}

async function asPage(event: H3Event, page: () => Promise<CompressedFile>): Promise<Uint8Array> {
  setPageHeaders(event, 'text/html; charset=utf-8', plainPagePolicy);
  return serveCompressed(event, await page());
}

/**
 * Builds and compresses a text once. Anyone can request it, and compressing a large one takes longer than all other
 * work on a request.
 */
function memoize(make: () => Promise<string>): () => Promise<CompressedFile> {
  let result: Promise<CompressedFile> | null = null;
  return () => (result ??= make().then(compressText));
}

async function compressText(text: string): Promise<CompressedFile> {
  return { plain: Buffer.from(text), br: null, gzip: await promisify(gzip)(text) };
}
