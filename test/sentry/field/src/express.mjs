import * as Sentry from '@sentry/node';
import express from 'express';

Sentry.init({ dsn: process.env.DSN, release: 'api@1.0.0', tracesSampleRate: 1 });

function total(cart) {
  return cart.items.length;
}

const app = express();
app.get('/total', (_request, response) => void response.send(total({})));
Sentry.setupExpressErrorHandler(app);
app.use((_error, _request, response, _next) => void response.status(500).end());

const server = app.listen(0, '127.0.0.1');
server.once('listening', async () => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/total?token=abc`, {
    headers: { cookie: 'sid=secret' },
  });
  await Sentry.flush(10_000);
  console.log(response.status);
  process.exit(0);
});
