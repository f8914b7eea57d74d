import { readFile } from 'node:fs/promises';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';

/** A page of another origin that fails, and reports its error to the given server. */
export interface ForeignPage {
  origin: string;
  close(): Promise<void>;
}

export interface Reporting {
  endpoint: string;
  apiKey: string;
}

/** Serves the page on a loopback port. Reads the key and the endpoint at each page load. */
export async function serveForeignPage(reporting: () => Reporting): Promise<ForeignPage> {
  const sdk = await readFile(new URL('../../packages/browser/dist/index.iife.js', import.meta.url));
  const { url, close } = await serveOnLoopback((request, response) => {
    if (request.url === '/sdk.js') {
      response.setHeader('content-type', 'text/javascript').end(sdk);
      return;
    }
    response.setHeader('content-type', 'text/html').end(
      `<!doctype html><script src="/sdk.js"></script>
       <script>ServiceSDK.init(${JSON.stringify(reporting())})</script>
       <script>throw new Error('A foreign page has failed')</script>`,
    );
  });
  return { origin: new URL(url).origin, close };
}
