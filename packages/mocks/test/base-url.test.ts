import { MockService } from '@service/mocks';
import { afterAll, afterEach, expect, test } from 'vitest';

const endpoint = 'https://errors.example.com';
const adminToken = 'token-of-an-administrator';
const service = new MockService({ endpoint, settings: { adminToken, corsOrigins: ['https://shop.example'] } });

afterEach(() => service.reset());
afterAll(() => service.close());

function report(origin: string): Promise<Response> {
  return service.fetch(
    new Request(`${endpoint}/api/v1/errors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ project_api_key: service.apiKey, message: 'Sold out' }),
    }),
  );
}

test('pages of the endpoint itself can report, as on the real server', async () => {
  expect((await report(endpoint)).status).toBe(200);
  expect((await report('https://shop.example')).status).toBe(200);
  expect((await report('http://127.0.0.1:4400')).status).toBe(403);
});

test('originNotAllowed: rejects pages of the endpoint itself, too', async () => {
  service.originNotAllowed();
  expect((await report(endpoint)).status).toBe(403);
});

test.each(['localhost:4400', 'capacitor://localhost', 'http://', '/service'])(
  'starts with the endpoint %s, which is no base URL',
  async (unusual) => {
    const started = new MockService({ endpoint: unusual });
    try {
      await started.start();
      expect(await started.groups()).toEqual([]);
    } finally {
      await started.close();
    }
  },
);

test('URLs in responses begin with the endpoint', async () => {
  const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ email: 'ada@shop.example', role: 'member' });
  const response = await service.fetch(new Request(`${endpoint}/api/v1/members`, { method: 'POST', headers, body }));
  expect(await response.json()).toHaveProperty(
    'invite_url',
    expect.stringMatching(/^https:\/\/errors\.example\.com\/#/),
  );
});
