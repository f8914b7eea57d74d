import { expect, test } from 'vitest';
import { describeInMemory, describeService } from '../test-utils/describe-service.ts';

const frames = [
  {
    function: 'Cart.total',
    file: '/srv/shop/current/shop/cart.py',
    module: 'shop.cart',
    line: 7,
    in_app: true,
    context: [
      { line: 6, text: 'for row in rows:' },
      { line: 7, text: '    total += row["price"]' },
    ],
    variables: { row: '{}' },
  },
  { function: 'run', file: '/opt/lib/tool.py', module: 'tool', line: 3, in_app: false },
];
const exceptions = [
  { type: 'shop.CartError', message: 'no total', relation: null, frames },
  { type: 'KeyError', message: "'price'", relation: 'cause', frames: frames.slice(0, 1) },
];

describeService('a report with exceptions', (start) => {
  test('is shown with its chain, source lines, modules and variables', async () => {
    const { report, call } = await start();
    expect((await report({ message: 'no total', exceptions })).status).toBe(200);
    const { body } = await call('GET', 'errors/1');
    expect(body).toMatchObject({ type: 'shop.CartError', culprit: 'total (shop/cart.py)' });
    const { latest_report: shown } = body;
    expect(shown?.frames).toEqual([
      {
        function: 'Cart.total',
        file: '/srv/shop/current/shop/cart.py',
        line: 7,
        column: null,
        in_app: true,
        resolved: true,
        context: frames[0]!.context,
        raw: { function: 'Cart.total', file: '/srv/shop/current/shop/cart.py', line: 7, column: null },
        module: 'shop.cart',
        variables: { row: '{}' },
      },
      expect.objectContaining({ function: 'run', in_app: false, resolved: false, context: [], module: 'tool' }),
    ]);
    expect(shown?.causes).toMatchObject([
      { type: 'KeyError', message: "'price'", relation: 'cause', frames: [{ function: 'Cart.total', line: 7 }] },
    ]);
    expect(shown?.exceptions).toHaveLength(2);
  });
});

describeInMemory('a report with exceptions', (start) => {
  test('is grouped by the exceptions, not by the text of its stack', async () => {
    const { report, call } = await start();
    const stacktrace = 'TypeError: no\n    at f (https://shop.example/a.js:1:2)';
    await report({ message: 'no total', stacktrace, exceptions });
    const { body } = await call('GET', 'errors/1');
    expect(body.grouping).toMatchObject({
      rule: 'file',
      components: ['shop/cart.py', 'Cart.total', 'KeyError: price'],
    });
  });

  test('is grouped by the text of its stack if the exceptions have no frames', async () => {
    const { report, call } = await start();
    const stacktrace = 'TypeError: no\n    at checkout (https://shop.example/a.js:1:2)';
    await report({ message: 'no', stacktrace, exceptions: [{ type: 'TypeError', message: 'no' }] });
    expect((await call('GET', 'errors/1')).body.latest_report?.frames).toHaveLength(1);
  });

  test('may be of any language', async () => {
    const { report, call } = await start();
    const ruby = [
      { function: 'total', file: 'lib/cart.rb', line: 3, in_app: false, context: [{ line: 3, text: 'x.y' }] },
    ];
    await report({ message: 'no y', exceptions: [{ type: 'NoMethodError', message: 'no y', frames: ruby }] });
    const { body } = await call('GET', 'errors/1');
    // This client marks all frames as a library's: it does not know the app.
    expect(body.latest_report?.frames).toMatchObject([{ in_app: true, file: 'lib/cart.rb' }]);
    expect(body.culprit).toBe('total (lib/cart.rb)');
  });
});
