import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { handler } from './dist/server/entry.mjs';

const server = createServer((request, response) => {
  const file = new URL(`dist/client${new URL(request.url, 'http://localhost').pathname}`, import.meta.url);
  readFile(file).then(
    (content) => response.setHeader('content-type', 'text/javascript').end(content),
    () => handler(request, response),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
