// Any web server will do: the page needs its own three files and, below /sdk/, the files of the SDK.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { SERVICE_KEY: key, SERVICE_URL: server, PORT: port = '4500' } = process.env;

const sdk = new URL('.', import.meta.resolve('@service/browser'));
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

const web = createServer(async ({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const [, folder, name, type] =
    /^\/(sdk\/)?([\w-]+\.(html|js|css))$/.exec(pathname.replace(/^\/$/, '/index.html')) ?? [];
  try {
    const content = await readFile(new URL(name ?? 'none', folder ? sdk : import.meta.url));
    response.setHeader('content-type', `${types[type]}; charset=utf-8`).end(content);
  } catch {
    response.writeHead(404).end('Not found');
  }
});

web.on('error', ({ code, message }) => {
  const taken = `Port ${port} is taken. Choose another: PORT=${port === '4500' ? 4501 : 4500} npm start`;
  console.error(`vanilla-html: ${code === 'EADDRINUSE' ? taken : message}`);
  process.exit(1);
});

web.listen(Number(port), '127.0.0.1', () => {
  const query = new URLSearchParams({ ...(key && { key }), ...(server && { server }) });
  console.log(`Open http://127.0.0.1:${web.address().port}/?${query}`);
});
