import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newError, openPage, sent, onlyReport, warnings } from './page.ts';

test('merges the scope into every report, and the context of a call into the report of that call only', async () => {
  const { captureException, setMetadata, setUser } = await openPage();
  setUser({ id: '7' });
  setMetadata({ cart: { items: 3 }, plan: 'free' });
  setMetadata({ plan: null, theme: 'dark' });
  captureException(newError(), { level: 'warning', metadata: { step: 2 }, user: { id: '8' } });
  captureException(newError());
  const [own, scoped] = await sent();
  expect(own).toMatchObject({
    level: 'warning',
    user: { id: '8' },
    metadata: { cart: { items: 3 }, theme: 'dark', step: 2 },
  });
  expect(scoped).toMatchObject({ user: { id: '7' } });
  expect(scoped?.metadata).toEqual({ cart: { items: 3 }, theme: 'dark' });
  expect(scoped).not.toHaveProperty('level');
});

test('uses the scope at the time of the capture, and accepts null as a context', async () => {
  const { captureException, captureMessage, setMetadata } = await openPage();
  setMetadata({ step: 1 });
  captureException(newError(), null as never);
  captureMessage('hello', null as never);
  setMetadata({ step: 2 });
  const [thrown, message] = await sent();
  expect(thrown?.metadata).toEqual({ step: 1 });
  expect(message).toMatchObject({ level: 'info', metadata: { step: 1 } });
});

test('copies metadata at the call', async () => {
  const { captureException, setMetadata } = await openPage();
  const cart = { items: 1 };
  const step = { name: 'pay' };
  setMetadata({ cart });
  captureException(newError(), { metadata: { step } });
  cart.items = 2;
  step.name = 'done';
  expect((await onlyReport()).metadata).toEqual({ cart: { items: 1 }, step: { name: 'pay' } });
});

describe('the development build', () => {
  beforeEach(() => vi.doMock('../src/check-user-details.ts', () => import('../src/check-user-details.development.ts')));
  afterEach(() => vi.doUnmock('../src/check-user-details.ts'));

  const dropped = '[ServiceSDK] setUser() drops name and email without the option sendUserDetails. [W12]';
  test.each([
    [{ id: 'u1', email: 'ada@shop.example' }, {}, [dropped]],
    [{ id: 'u1', name: 'Ada', email: null }, {}, [dropped]],
    [{ id: 'u1', name: '', email: undefined }, {}, []],
    [{ id: 'u1' }, {}, []],
    [null, {}, []],
    [{ id: 'u1', email: 'ada@shop.example' }, { sendUserDetails: true }, []],
  ])('names dropped details of the user %j with the options %j', async (user, extra, lines) => {
    const { setUser } = await openPage(extra);
    setUser(user);
    setUser(user);
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual(lines);
  });
});

test('sends only the id of the user without sendUserDetails', async () => {
  const { captureException, setUser } = await openPage();
  setUser({ id: 7, name: 'Ada' } as never);
  captureException(newError());
  expect((await onlyReport()).user).toEqual({ id: '7' });
});

test('survives metadata and users that cannot be read', async () => {
  const { captureException, setMetadata, setUser } = await openPage();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  setMetadata(proxy);
  setUser(proxy as never);
  setMetadata({ fine: 1, deep: Object.defineProperty({}, 'bad', { enumerable: true, get: () => JSON.parse('{') }) });
  setMetadata({ later: 2 });
  captureException(newError());
  expect((await onlyReport()).metadata).toMatchObject({ later: 2 });
});

test.each<[string, object, unknown]>([
  ['a Map', new Map([['cart', 1]]), '[object Map]'],
  ['an error', new TypeError('inner'), 'TypeError: inner'],
  ['a text', 'checkout' as never, 'checkout'],
])('metadata that is %s becomes one value', async (_, given, value) => {
  const { captureException, setMetadata } = await openPage();
  setMetadata({ step: 1 });
  captureException(newError(), { metadata: given });
  expect((await onlyReport()).metadata).toEqual({ step: 1, value });
});

test('a tag whose getter throws does not affect other tags', async () => {
  const { setTags, captureMessage } = await openPage();
  setTags({
    plan: 'gold',
    get broken(): string {
      throw new Error('no tag');
    },
  });
  captureMessage('x');
  expect((await onlyReport()).tags).toEqual({ plan: 'gold' });
});

test('a long text of user, tags or fingerprint exceeds the limit of the server by a mark, so it is listed as truncated', async () => {
  const { setUser, setTag, captureException } = await openPage();
  setUser({ id: 'u'.repeat(200) });
  setTag('plan', 't'.repeat(201));
  captureException(newError(), { fingerprint: 'f'.repeat(1_000) });
  const { user, tags, fingerprint } = await onlyReport();
  expect(user?.id).toBe('u'.repeat(200));
  expect(tags).toEqual({ plan: `${'t'.repeat(200)}…` });
  expect(fingerprint).toEqual([`${'f'.repeat(200)}…`]);
});

test('setUser(undefined) removes the user', async () => {
  const { captureException, setUser, withScope } = await openPage();
  setUser({ id: '7' });
  withScope((scope) => {
    scope.setUser(undefined);
    captureException(newError());
  });
  setUser(undefined);
  captureException(newError());
  for (const report of await sent()) expect(report.user ?? null).toBeNull();
});

test('one tag without a text does not drop the others', async () => {
  const { captureException, setTags } = await openPage();
  setTags({ plan: 'pro', empty: Object.create(null) as never });
  captureException(newError());
  expect((await onlyReport()).tags).toEqual({ plan: 'pro' });
  expect(warnings()).toEqual(['W5']);
});

test('ten thousand tags leave room for the rest of the report', async () => {
  const { captureException, setMetadata, setTags } = await openPage();
  setTags(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`tag${index}`, 'x'.repeat(200)])));
  setMetadata({ step: 1 });
  captureException(newError());
  const report = await onlyReport();
  expect(Object.keys(report.tags ?? {})).toHaveLength(33);
  expect(report).toMatchObject({ timestamp: expect.any(String), metadata: { step: 1 }, sdk: expect.any(Object) });
});

test('lists no more members of a large array than fit into the report', async () => {
  const { captureException, setMetadata } = await openPage();
  let reads = 0;
  const million = new Proxy(
    Array.from({ length: 1_000_000 }, () => 7),
    {
      get(target, name) {
        if (name !== 'length') reads++;
        return Reflect.get(target, name);
      },
      getOwnPropertyDescriptor(target, name) {
        reads++;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    },
  );
  setMetadata({ million });
  expect(reads).toBeLessThan(8_000);
  captureException(newError());
  expect((await onlyReport()).metadata).toEqual({ million: expect.arrayContaining([7]) });
});

test('copies subclasses of Array without calling their methods or constructors', async () => {
  class Cart extends Array<number> {
    constructor(items: number[]) {
      super();
      this.push(...items);
    }
    override slice(): never {
      throw new Error('of the page');
    }
  }
  const { captureException, setMetadata } = await openPage();
  setMetadata({ cart: new Cart([1, 2]), named: { [Symbol.toStringTag]: 'Array' } });
  captureException(newError());
  expect((await onlyReport()).metadata).toEqual({ cart: [1, 2], named: '[object Array]' });
});
