import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { listener } from './.output/server/index.mjs';

// The server of this preset leaves the files to a web server.
const server = createServer((request, response) => {
  const file = new URL(`.output/public${new URL(request.url, 'http://localhost').pathname}`, import.meta.url);
  readFile(file).then(
    (content) => response.setHeader('content-type', 'text/javascript').end(content),
    () => listener(request, response),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
