import { createServer } from 'node:http';
import { report } from './report.mjs';

const prices = { oolong: 8, sencha: 6 };

/** @param {string} name */
function price(name) {
  if (!Object.hasOwn(prices, name)) throw new RangeError(`There is no tea ${name}`);
  return prices[name];
}

const web = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  try {
    response.end(`${price(pathname.slice(1))} EUR\n`);
  } catch (error) {
    response.writeHead(500).end('Sorry\n');
    // The response does not wait for the report.
    void report(error, { method: request.method, path: pathname });
  }
});

// The state of the process is unknown after such an error, so it ends once the error is reported.
process.on('uncaughtException', async (error) => {
  console.error(error);
  await report(error);
  process.exit(1);
});

web.listen(Number(process.env.PORT ?? 4600), '127.0.0.1', () => {
  console.log(`Open http://127.0.0.1:${web.address().port}/oolong`);
});
