import { apiPrefix, paths } from '@service/protocol';
import type { H3 } from 'h3';
import { readNoQuery } from '../http/query.ts';
import { version } from '../version.ts';

/** What the API is, told to programs. Made when it is first asked for: most servers never are. */
export function docsRoutes(app: H3): void {
  let document: Promise<object> | null = null;

  const openApi = (): Promise<object> =>
    (document ??= import('../docs/openapi.ts').then(({ openApiDocument }) => openApiDocument(version)));

  // Tools that are given no more than the address of a server look for it at its root.
  for (const path of [apiPrefix + paths.openapi, paths.openapi]) {
    app.get(path, (event) => {
      readNoQuery(event);
      return openApi();
    });
  }
}
