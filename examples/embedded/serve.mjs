import { createService } from '@service/server';
import { H3, html, serve } from 'h3';

const { PORT: port = '4700', SERVICE_STORAGE: storage = 'memory:' } = process.env;

const origin = `http://127.0.0.1:${port}`;
const service = await createService({ storage, baseUrl: origin, corsOrigins: [origin] });
const { apiKey } = await service.createProject({ name: 'Shop' });

const app = new H3();

app.get(
  '/shop',
  () =>
    html`<!doctype html>
      <title>Shop</title>
      <link rel="icon" href="data:," />
      <script src="/packages/browser.iife.js"></script>
      <script>
        ServiceSDK.init({ apiKey: '${apiKey}', endpoint: location.origin, release: '0.1.0' });
      </script>
      <button id="pay" onclick="checkout()">Pay</button>`,
);

// Everything else: the API, the dashboard, the live stream and the SDK.
app.all('/**', ({ req }) => service.fetch(req));

const web = serve(app, { port: Number(port), hostname: '127.0.0.1', silent: true });
await web.ready();
console.log(`Open ${origin}/shop`);
console.log(`Dashboard: ${await service.signInLink(origin)}`);

process.once('SIGTERM', async () => {
  await web.close(true);
  await service.close();
});
