import { expect, test } from 'vitest';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';

interface Occurrence {
  file: string;
  release?: string | undefined;
  name?: string;
  code?: string;
  caller?: string;
}

/** Returns a report of a missing key in a function of a file. */
function missingKey({
  file,
  release,
  name = 'total',
  code = 'return row["price"]',
  caller = 'show',
}: Occurrence): object {
  const stacktrace = [
    'Traceback (most recent call last):',
    `  File "/srv/shop/current/main.py", line 3, in ${caller}`,
    '    return handle(request)',
    `  File "/srv/shop/current/${file}", line 7, in ${name}`,
    `    ${code}`,
    "KeyError: 'price'",
  ].join('\n');
  return { message: "'price'", stacktrace, release };
}

describeService('a Python file that was moved', (start, driver) => {
  test('keeps the groups of its errors, also after a restart', async () => {
    const { report, restart } = await start();
    const first = await report(missingKey({ file: 'shop/cart.py', release: '1' }));
    if (driver === 'file:') await restart();
    const second = await report(missingKey({ file: 'shop/orders/cart.py', release: '2' }));
    expect(second.body).toEqual({ ...first.body, is_new_group: false });
  });
});

describeInMemory('the groups of Python files', (start) => {
  /** Reports the errors in this order and returns the group of each. */
  async function groupsOf(...occurrences: Occurrence[]): Promise<number[]> {
    const { report } = await start();
    const groups: number[] = [];
    for (const one of occurrences) groups.push((await report(missingKey(one))).body.error_group_id ?? 0);
    return groups;
  }

  test('are kept by a rename if the line or the caller is the same', async () => {
    expect(
      await groupsOf(
        { file: 'shop/cart.py', release: '1' },
        { file: 'shop/basket.py', release: '2', caller: 'display' },
        { file: 'store/basket.py', release: '3', caller: 'display', code: 'price = row["price"]' },
      ),
    ).toEqual([1, 1, 1]);
  });

  test('are kept by a rename if the newer release reports the error first', async () => {
    expect(await groupsOf({ file: 'basket.py', release: '2' }, { file: 'cart.py', release: '1' })).toEqual([1, 1]);
  });

  test('are separate if a release has both files', async () => {
    const [cart, order] = [{ file: 'shop/cart.py' }, { file: 'shop/order.py' }];
    expect(await groupsOf({ ...cart, release: '1' }, { ...order, release: '1' }, { ...order, release: '2' })).toEqual([
      1, 2, 2,
    ]);
  });

  test('become separate when a release turns out to have both files', async () => {
    const [cart, order] = [{ file: 'shop/cart.py' }, { file: 'shop/order.py' }];
    expect(
      await groupsOf(
        { ...cart, release: '1' },
        { ...order, release: '2' },
        { ...order, release: '1' },
        { ...order, release: '2' },
      ),
    ).toEqual([1, 1, 2, 2]);
  });

  test('are separate if only the name of the function is the same', async () => {
    expect(
      await groupsOf(
        { file: 'shop/cart.py', release: '1' },
        { file: 'board/post.py', release: '2', caller: 'list', code: 'x = data["price"]' },
      ),
    ).toEqual([1, 2]);
  });

  test('are separate for two files in reports without a release', async () => {
    expect(await groupsOf({ file: 'shop/cart.py' }, { file: 'shop/basket.py' })).toEqual([1, 2]);
  });

  test('are the same for a method, whether or not the interpreter reports its class', async () => {
    const file = 'shop/cart.py';
    expect(
      await groupsOf(
        { file, release: '1', name: 'total' },
        { file, release: '1', name: 'Cart.total' },
        { file, release: '1', name: 'Order.total' },
        { file, release: '1', name: 'Cart.total' },
      ),
    ).toEqual([1, 1, 2, 1]);
  });

  test('are not restored by a report of the renamed file after a deletion', async () => {
    const { report, call } = await start();
    await report(missingKey({ file: 'shop/cart.py', release: '1' }));
    await call('DELETE', 'errors/1');
    const answer = await report(missingKey({ file: 'shop/basket.py', release: '2' }));
    expect(answer.body).toMatchObject({ error_group_id: 2, is_new_group: true });
  });
});

describeInMemory('files of hostile reports', (start) => {
  test('take no more of the log than the reports, however many files and releases they name', async () => {
    const { report, call } = await start();
    const logBytes = async (): Promise<number> =>
      Number(/^service_log_bytes (\d+)/m.exec((await call('GET', '/metrics')).text)?.[1]);
    const files = Array.from(
      { length: 240 },
      (_, index) => `  File "/srv/shop/f${index}/${'x'.repeat(200)}.py", line 1, in f`,
    );
    const stacktrace = ['Traceback (most recent call last):', ...files, "KeyError: 'price'"].join('\n');
    const before = await logBytes();
    for (let release = 0; release < 20; release++)
      expect((await report({ message: 'm', stacktrace, release: `${release} ${'y'.repeat(190)}` })).status).toBe(200);
    expect((await logBytes()) - before).toBeLessThan(20 * stacktrace.length);
  });
});
