import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createRequestHandler } from 'react-router';
import * as build from './build/server/index.js';

const handle = createRequestHandler(build, 'production');
const server = createServer((request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  readFile(new URL(`build/client${url.pathname}`, import.meta.url)).then(
    (content) => response.setHeader('content-type', 'text/javascript').end(content),
    async () => {
      const page = await handle(new Request(url));
      response.writeHead(page.status, Object.fromEntries(page.headers));
      Readable.fromWeb(page.body).pipe(response);
    },
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
