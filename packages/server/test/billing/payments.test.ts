import { gzipSync } from 'node:zlib';
import type { Checkout, Payment } from '@service/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { setPlan } from '../../src/billing/set-plan.ts';
import type { Log } from '../../src/store/log/storage-driver.ts';
import { openDriver } from '../../src/storage/open-driver.ts';
import { addMember } from '../accounts/members.ts';
import {
  checkOut,
  hosted,
  payment,
  paymentEvent,
  planOf,
  sandboxSecret,
  send,
  signature,
  signed,
  usage,
} from './sandbox-payments.ts';
import {
  adminToken,
  cleanUp,
  describeInMemory,
  describeService,
  temporaryFolder,
  type TestResponse,
} from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

describeService('a payment', (start, driver) => {
  test('a payment changes the plan immediately, keeps the usage and survives a restart', async () => {
    const { call, report, restart } = await start(hosted);
    for (let count = 0; count < 4; count++) await report();
    const { status, body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro' } });
    expect([status, body]).toEqual([
      201,
      { payment_id: 1, checkout_url: expect.stringContaining('/billing/sandbox/1/') },
    ]);
    const pending = { payment_id: 1, plan: 'pro', status: 'pending', created_at: expect.any(String), paid_at: null };
    expect(await payment(call, 1)).toEqual(pending);
    expect((await usage(call)).plan).toBe('free');

    const response = await send(call, paymentEvent('succeeded', 1));
    expect([response.status, response.body]).toEqual([200, { received: true }]);
    const paid = { ...pending, status: 'paid', paid_at: expect.stringMatching(/\.\d{3}Z$/) };
    expect(await payment(call, 1)).toEqual(paid);
    const now = await usage(call);
    expect(now).toMatchObject({ plan: 'pro', errors: { used: 3, quota: 5, refused: 1 } });
    expect((await call<{ team: object }>('GET', 'auth/me')).body.team).toMatchObject({ plan: 'pro' });
    expect((await report()).status).toBe(200);
    if (driver === 'memory:') return;
    await restart();
    expect(await payment(call, 1)).toEqual(paid);
    expect(await usage(call)).toMatchObject({ plan: 'pro', errors: { used: 4, quota: 5, refused: 1 } });
    expect(await checkOut(call, 'large')).toBe(2);
  });

  test('repeated and concurrent events complete a payment once', async () => {
    const { call } = await start(hosted);
    const [first, second] = [await checkOut(call, 'pro'), await checkOut(call, 'large')];
    const event = paymentEvent('succeeded', first);
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(call, event)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const paid = await payment(call, first);
    expect(paid.status).toBe('paid');
    await send(call, paymentEvent('succeeded', second));
    // Neither a repeated nor another event of the first payment replaces the later plan.
    for (const replay of [event, event, paymentEvent('succeeded', first), paymentEvent('failed', second)])
      expect((await send(call, replay)).status).toBe(200);
    expect(await planOf(call)).toBe('large');
    expect(await payment(call, first)).toEqual(paid);
    expect((await payment(call, second)).status).toBe('paid');
  });
});

describe('the transaction of a payment event', () => {
  test('a payment event writes the payment and the plan in one batch, and repeats write nothing', async () => {
    const { services, call, close } = await openService(hosted);
    const { model } = services.store;
    const id = await checkOut(call, 'pro');
    const before = [model.batchNumber, model.tables.teams.version, model.tables.payments.version];
    const event = paymentEvent('succeeded', id);
    await Promise.all(Array.from({ length: 20 }, () => send(call, event)));
    await send(call, event);
    await send(call, paymentEvent('failed', id));
    const after = [model.batchNumber, model.tables.teams.version, model.tables.payments.version];
    expect(after.map((number, index) => number - (before[index] ?? 0))).toEqual([1, 1, 1]);
    await close();
  });

  test('a payment event changes nothing if the storage fails, and a retry succeeds', async () => {
    const driver = await openDriver('memory:');
    let isFailing = false;
    const log: Log = {
      dropped: driver.log.dropped,
      read: () => driver.log.read(),
      append: (...batch) => (isFailing ? Promise.reject(new Error('no space left')) : driver.log.append(...batch)),
      readAt: (...pointer) => driver.log.readAt(...pointer),
      seal: () => driver.log.seal(),
      dropBefore: (number) => driver.log.dropBefore(number),
      get sizeBytes() {
        return driver.log.sizeBytes;
      },
    };
    const { call, close } = await openService(hosted, {
      driver: { ...driver, log, close: () => driver.close() },
    });
    const id = await checkOut(call, 'pro');
    const event = paymentEvent('succeeded', id);
    isFailing = true;
    const refused = await Promise.all([send(call, event), send(call, event)]);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [503, 'storage_unavailable'],
      [503, 'storage_unavailable'],
    ]);
    expect([await planOf(call), (await payment(call, id)).status]).toEqual(['free', 'pending']);
    isFailing = false;
    expect((await send(call, event)).status).toBe(200);
    expect([await planOf(call), (await payment(call, id)).status]).toEqual(['pro', 'paid']);
    await close();
  });
});

describeInMemory('the status of a payment', (start) => {
  test('a payment with a paid and a failed event is paid, in either order of the events', async () => {
    const { call } = await start(hosted);
    const id = await checkOut(call, 'pro');
    await send(call, paymentEvent('failed', id));
    expect(await payment(call, id)).toMatchObject({ status: 'failed', paid_at: null });
    expect(await planOf(call)).toBe('free');
    await send(call, paymentEvent('succeeded', id));
    expect((await payment(call, id)).status).toBe('paid');
    expect(await planOf(call)).toBe('pro');
    await send(call, paymentEvent('failed', id));
    expect((await payment(call, id)).status).toBe('paid');
    expect(await planOf(call)).toBe('pro');
  });
});

describe('a paid plan', () => {
  afterEach(cleanUp);

  test('a paid plan lasts until the operator sets another, and repeated events do not restore it', async () => {
    const { services, call, close } = await openService(hosted);
    const id = await checkOut(call, 'large');
    const event = paymentEvent('succeeded', id);
    await send(call, event);
    await setPlan(services, '1', 'pro');
    for (const again of [event, paymentEvent('succeeded', id), paymentEvent('failed', id)]) await send(call, again);
    expect(await planOf(call)).toBe('pro');
    await send(call, paymentEvent('succeeded', await checkOut(call, 'large')));
    expect(await planOf(call)).toBe('large');
    await close();
  });

  test('the plan and its payments survive a compaction', async () => {
    const storage = `file:${await temporaryFolder()}`;
    let service = await openService({ ...hosted, storage });
    const event = paymentEvent('succeeded', await checkOut(service.call, 'pro'));
    await send(service.call, event);
    await send(service.call, paymentEvent('failed', await checkOut(service.call, 'large')));
    const read = async (): Promise<unknown> =>
      Promise.all([planOf(service.call), payment(service.call, 1), payment(service.call, 2)]);
    const before = await read();
    await service.services.store.compact();
    await service.close();
    service = await openService({ ...hosted, storage });
    expect(await read()).toEqual(before);
    await setPlan(service.services, '1', 'free');
    await send(service.call, event);
    expect(await planOf(service.call)).toBe('free');
    await send(service.call, { ...event, payment_id: 2 });
    expect(await read()).toEqual(['free', ...(before as unknown[]).slice(1)]);
    // New payments continue the numbering.
    expect(await checkOut(service.call, 'pro')).toBe(3);
    await service.close();
  });
});

describe('a payment event', () => {
  const now = Date.UTC(2026, 10, 21, 12);

  test('a payment event without a valid signature of the last 300 seconds changes nothing', async () => {
    const { services, call, close } = await openService(hosted, { now: () => now });
    const id = await checkOut(call, 'pro');
    const text = JSON.stringify(paymentEvent('succeeded', id));
    const good = signature(text, now);
    const [, time = '', hex = ''] = /^t=(\d+),v1=(\w+)$/.exec(good) ?? [];
    const { batchNumber } = services.store.model;
    const ask = (header: string | null, body: string | Uint8Array = text): Promise<TestResponse> =>
      call('POST', 'billing/webhook/sandbox', {
        token: null,
        body,
        headers: { 'content-type': 'application/json', ...(header !== null && { 'x-signature': header }) },
      });
    const forged: [name: string, response: Promise<TestResponse>][] = [
      ['no header', ask(null)],
      ['an empty header', ask('')],
      ['no time', ask(`v1=${hex}`)],
      ['no signature', ask(`t=${time}`)],
      ['another time', ask(`t=${Number(time) + 1},v1=${hex}`)],
      ['two times', ask(`t=${time},t=${Number(time) + 1},v1=${hex}`)],
      ['a time that is not a number', ask(`t=now,v1=${hex}`)],
      ['a time with a leading zero', ask(`t=0${time},v1=${hex}`)],
      ['a negative time', ask(`t=-${time},v1=${hex}`)],
      ['another secret', ask(signature(text, now, 'another secret'))],
      ['an empty secret', ask(signature(text, now, ''))],
      ['the signature of another body', ask(signature(`${text} `, now))],
      ['the same JSON in other bytes', ask(good, `${text}\n`)],
      ['an escaped spelling of the same JSON', ask(good, Buffer.from(text.replace('payment.', '\\u0070ayment.')))],
      ['a shorter signature', ask(`t=${time},v1=${hex.slice(0, 62)}`)],
      ['a longer signature', ask(`t=${time},v1=${hex}00`)],
      ['a signature that is not hexadecimal', ask(`t=${time},v1=${'zz'.repeat(32)}`)],
      ['another scheme', ask(`t=${time},v0=${hex}`)],
      ['a hash of zeros', ask(`t=${time},v1=${'0'.repeat(64)}`)],
      ['junk', ask(',;=t==,v1=v1==,'.repeat(500))],
      ['many commas', ask(','.repeat(15_000))],
      ['many wrong signatures', ask(`t=${time}${`,v1=${'0'.repeat(64)}`.repeat(200)}`)],
      ['301 seconds old', ask(signature(text, now - 301_000))],
      ['301 seconds ahead', ask(signature(text, now + 301_000))],
      ['a time of 400 digits', ask(`t=${'9'.repeat(400)},v1=${hex}`)],
    ];
    for (const [name, response] of forged) {
      const { status, body, text: responseText } = await response;
      expect([name, status, body.code]).toEqual([name, 400, 'invalid_signature']);
      expect(responseText).not.toContain(sandboxSecret);
    }
    expect(services.store.model.batchNumber).toBe(batchNumber);
    expect([await planOf(call), (await payment(call, id)).status]).toEqual(['free', 'pending']);
    await close();
  });

  test('a payment event with a valid signature is accepted in every spelling of the header', async () => {
    const { call, close } = await openService(hosted, { now: () => now });
    const spellings: [name: string, spell: (text: string) => string][] = [
      ['the current time', (text) => signature(text, now)],
      ['300 seconds old', (text) => signature(text, now - 300_000)],
      ['300 seconds ahead', (text) => signature(text, now + 300_000)],
      ['in capitals', (text) => signature(text, now).replace(/(?<=v1=).*/, (hex) => hex.toUpperCase())],
      ['with spaces', (text) => ` ${signature(text, now).replace(',', ' , ')} `],
      ['next to a signature with an older secret', (text) => `${signature(text, now)},v1=${'0'.repeat(64)},v2=x`],
    ];
    for (const [name, spell] of spellings) {
      const id = await checkOut(call, 'pro');
      const text = JSON.stringify(paymentEvent('succeeded', id));
      const headers = { 'content-type': 'application/json', 'x-signature': spell(text) };
      const { status } = await call('POST', 'billing/webhook/sandbox', { token: null, body: text, headers });
      expect([name, status, (await payment(call, id)).status]).toEqual([name, 200, 'paid']);
    }
    await close();
  });

  test('a payment event of an unknown payment or type is accepted and logged, and changes nothing', async () => {
    const written: string[] = [];
    const edges = { logTo: { write: (line: string) => void written.push(line) } };
    const { services, call, close } = await openService({ ...hosted, logLevel: 'info' }, edges);
    await services.ownerSetup.done;
    const id = await checkOut(call, 'pro');
    const { batchNumber } = services.store.model;
    const unknown = [
      ...[99, 0, -1, 1.5, 1e20, '1', null, true, [id], { id }, undefined].map((payment_id) =>
        paymentEvent('succeeded', payment_id),
      ),
      { id: 'evt_x', type: 'payment.refunded', payment_id: id },
      { id: 'evt_x', type: '__proto__', payment_id: id },
      { id: 'evt_x', type: 'Payment.Succeeded', payment_id: id },
      { id: 'evt_x', type: 'x'.repeat(5_000), payment_id: id },
      { id: '\u001b[2J\n\u202e', type: '\n{"level":60}', payment_id: id },
    ];
    for (const event of unknown) expect((await send(call, event)).status, JSON.stringify(event)).toBe(200);
    expect(services.store.model.batchNumber).toBe(batchNumber);
    const lines = written
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { effect?: string; level: number });
    const effects = lines.flatMap(({ effect }) => effect ?? []);
    expect(effects).toHaveLength(unknown.length);
    expect(effects.every((effect) => effect.startsWith('none: '))).toBe(true);
    expect(lines.every(({ level }) => level <= 40)).toBe(true);
    expect(written.join('')).not.toMatch(/\u202e|x{200}/);
    // An ignored event does not use up its id.
    expect((await send(call, { id: 'evt_x', type: 'payment.succeeded', payment_id: id })).status).toBe(200);
    expect(await planOf(call)).toBe('pro');
    await close();
  });

  test('a payment event may have unknown fields and be compressed', async () => {
    const { call, close } = await openService(hosted);
    const id = await checkOut(call, 'pro');
    const text = JSON.stringify(paymentEvent('succeeded', id, { amount: 5, data: { deep: [{}] }, toString: null }));
    const ask = signed(text);
    const compressed = { ...ask, body: gzipSync(text), headers: { ...ask.headers, 'content-encoding': 'gzip' } };
    expect((await call('POST', 'billing/webhook/sandbox', compressed)).status).toBe(200);
    expect(await planOf(call)).toBe('pro');
    await close();
  });

  const bodies: [name: string, body: string | Uint8Array, status: number][] = [
    ['an empty body', '', 400],
    ['only spaces', '  ', 400],
    ['broken JSON', '{"id":', 400],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe, 0x7b]), 400],
    ['null', 'null', 422],
    ['an array', '[]', 422],
    ['a number', '7', 422],
    ['an empty object', '{}', 422],
    ['no type', '{"id":"evt_1"}', 422],
    ['an id that is not a string', '{"id":1,"type":"payment.succeeded","payment_id":1}', 422],
    ['an empty id', '{"id":"","type":"payment.succeeded","payment_id":1}', 422],
    ['a long id', JSON.stringify({ id: 'x'.repeat(256), type: 'payment.succeeded', payment_id: 1 }), 422],
    ['a type that is not a string', '{"id":"evt_1","type":{"a":1},"payment_id":1}', 422],
    ['half a surrogate', '{"id":"\\ud800","type":"payment.\\udc00","payment_id":1}', 200],
    ['__proto__', '{"__proto__":{"id":"evt_1","type":"payment.succeeded","payment_id":1}}', 422],
    ['a constructor', '{"id":"evt_1","type":"constructor","payment_id":1,"constructor":{"prototype":{}}}', 200],
    ['a number of 60,000 digits', `{"id":"evt_1","type":"x","payment_id":${'9'.repeat(60_000)}}`, 200],
    ['deep nesting', `{"id":"evt_1","type":"x","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 200],
    ['many fields', `{"id":"evt_1","type":"x"${',"":0'.repeat(10_000)}}`, 200],
    ['a body above the maximum size', JSON.stringify({ id: 'evt_1', type: 'x', x: 'x'.repeat(65_536) }), 413],
  ];

  test('a payment event with a malformed body causes no server error and pays nothing', async () => {
    const { call, close } = await openService(hosted);
    await checkOut(call, 'pro');
    for (const [name, body, status] of bodies) {
      const response = await call('POST', 'billing/webhook/sandbox', signed(body));
      expect([name, response.status], response.text).toEqual([name, status]);
      // A caller without the secret learns nothing about the rest of the request.
      const unsigned = await call('POST', 'billing/webhook/sandbox', signed(body, undefined, 'guessed'));
      expect(unsigned.body.code, name).toBe(status === 413 ? 'payload_too_large' : 'invalid_signature');
    }
    expect(await planOf(call)).toBe('free');
    await close();
  });

  test('a payment event is rejected for its content type, query or provider, and its signature is checked before the query', async () => {
    const { call, close } = await openService(hosted);
    const event = paymentEvent('succeeded', await checkOut(call, 'pro'));
    const good = signed(event);
    for (const type of ['text/plain', 'application/jsonp', 'multipart/form-data; boundary=x']) {
      const ask = { ...good, headers: { ...good.headers, 'content-type': type } };
      expect((await call('POST', 'billing/webhook/sandbox', ask)).body.code).toBe('unsupported_media_type');
    }
    expect((await call('POST', 'billing/webhook/sandbox?x=1', good)).body.code).toBe('validation_failed');
    const forged = signed(event, undefined, 'guessed');
    expect((await call('POST', 'billing/webhook/sandbox?x=1', forged)).body.code).toBe('invalid_signature');
    for (const name of ['stripe', 'Sandbox', 'paypal', '__proto__', 'constructor', '%20', 'sandbox%2f'])
      expect((await call('POST', `billing/webhook/${name}`, good)).body.code, name).toBe('provider_not_found');
    expect(await planOf(call)).toBe('free');
    await close();
  });

  test('payment events leave no secret in the log or in a response', async () => {
    const written: string[] = [];
    const edges = { logTo: { write: (line: string) => void written.push(line) } };
    const { call, close } = await openService({ ...hosted, logLevel: 'trace' }, edges);
    const id = await checkOut(call, 'pro');
    const asks = [
      signed(paymentEvent('succeeded', id)),
      signed(paymentEvent('succeeded', id), 0),
      signed('{'),
      signed('null'),
      { token: null, body: '{}', headers: { 'x-signature': sandboxSecret } },
      { token: null, body: sandboxSecret, headers: { 'x-signature': `t=${sandboxSecret},v1=${sandboxSecret}` } },
    ];
    for (const ask of asks) written.push((await call('POST', 'billing/webhook/sandbox', ask)).text);
    expect(written.length).toBeGreaterThan(asks.length);
    expect(written.join('')).not.toContain(sandboxSecret);
    expect(written.join('')).not.toMatch(/v1=/);
    // Many forged events cause one warning.
    expect(written.join('').match(/a payment event was rejected/g)).toHaveLength(1);
    await close();
  });
});

describeService('POST /billing/checkout', (start) => {
  test('POST /billing/checkout requires an owner, a known plan and a known provider', async () => {
    const { call } = await start(hosted);
    for (const role of ['member', 'viewer'] as const) {
      const { token } = await addMember(call, `${role}@shop.example`, role);
      const { body } = await call('POST', 'billing/checkout', { token, body: { plan: 'pro' } });
      expect(body.code).toBe('forbidden');
    }
    const code = async (body: object): Promise<unknown> => (await call('POST', 'billing/checkout', { body })).body.code;
    for (const plan of ['gold', 'Pro', '', '__proto__', 'x'.repeat(100), 5, null, undefined])
      expect(await code({ plan }), String(plan)).toBe('validation_failed');
    for (const provider of ['stripe', 'paypal', 'Sandbox', '', '__proto__'])
      expect(await code({ plan: 'pro', provider }), provider).toBe('provider_not_found');
    for (const provider of [5, null, {}, 'x'.repeat(65)])
      expect(await code({ plan: 'pro', provider })).toBe('validation_failed');
    expect(await code({ plan: 'pro', price: 0 })).toBe('validation_failed');
    // No rejected request started a payment.
    const body = { plan: 'pro', provider: 'sandbox' };
    expect((await call<Checkout>('POST', 'billing/checkout', { body })).body.payment_id).toBe(1);
  });

  test('checkouts and payment events respond 404 on a server without a payment provider', async () => {
    const { call } = await start();
    const { status, body } = await call('POST', 'billing/checkout', { body: { plan: 'self_hosted' } });
    expect([status, body.code]).toEqual([404, 'provider_not_found']);
    expect((await send(call, paymentEvent('succeeded', 1))).body.code).toBe('provider_not_found');
    expect((await call('GET', '/billing/sandbox/1/x', { token: null })).status).toBe(404);
  });
});

describe('pending payments', () => {
  test('a team can have at most 1,000 pending payments', async () => {
    const { services, call, close } = await openService(hosted);
    const row = { team_id: 1, plan: 'pro', price: 1, currency: 'EUR', provider: 'sandbox', checkout_id: 'x' } as const;
    const rest = { status: 'pending', created_at: '2026-11-21T00:00:00.000Z', paid_at: null } as const;
    await services.store.commit((transaction) => {
      for (let count = 0; count < 1_000; count++)
        transaction.put('payments', { id: transaction.nextId('payments'), ...row, ...rest });
    });
    const startPayment = () => call<Payment & { code?: string }>('POST', 'billing/checkout', { body: { plan: 'pro' } });
    expect((await startPayment()).body.code).toBe('conflict');
    await send(call, paymentEvent('failed', 500));
    expect((await startPayment()).status).toBe(201);
    expect((await startPayment()).body.code).toBe('conflict');
    await close();
  });
});

test('the operator’s token can start a payment', async () => {
  const { call, close } = await openService(hosted);
  expect(await checkOut(call, 'pro', { token: adminToken })).toBe(1);
  await close();
});
