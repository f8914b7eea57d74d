import type { GroupDetails } from '@service/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainByRules } from '../../src/explain/explain-by-rules.ts';
import { promptFor } from '../../src/explain/prompt.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

let service: OpenService;
let apiKey: string;

beforeAll(async () => {
  service = await openService();
  const { body } = await service.call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } });
  apiKey = body.api_key;
});
afterAll(() => service.close());

async function groupOf(report: object): Promise<GroupDetails> {
  const { body } = await service.call('POST', 'errors', { body: { project_api_key: apiKey, ...report } });
  return (await service.call<GroupDetails>('GET', `errors/${body.error_group_id}`)).body;
}

const frame = (name: string) => ({
  function: name,
  file: '/srv/shop/cart.py',
  module: 'shop.cart',
  line: 12,
  in_app: true,
});

function pythonReport(exceptions: object[]): object {
  return {
    type: 'shop.CartError',
    message: 'The cart is broken',
    stacktrace:
      'Traceback (most recent call last):\n  File "/srv/shop/cart.py", line 12, in pay\nshop.CartError: The cart is broken',
    exceptions: [{ type: 'shop.CartError', message: 'The cart is broken', frames: [frame('pay')] }, ...exceptions],
  };
}

test('explanations and prompts name the causes of a structured report', async () => {
  const group = await groupOf(
    pythonReport([
      { type: 'shop.StoreError', message: 'password=hunter22 was wrong', relation: 'cause', frames: [frame('load')] },
      { type: 'ConnectionError', message: 'refused', relation: 'context', frames: [frame('connect')] },
      { type: 'ValueError', message: 'first', relation: 'member', frames: [] },
    ]),
  );
  const { user } = promptFor(group);
  expect(user).toContain('Caused by: shop.StoreError: ');
  expect(user).toContain('  at load (/srv/shop/cart.py:12)\n');
  expect(user).toContain('Raised while handling: ConnectionError: refused');
  expect(user).toContain('Member of the group: ValueError: first');
  expect(user).not.toContain('hunter22');
  expect(explainByRules(group)).toContain('The root cause in the report is `ConnectionError: refused`.');
});

test('an explanation of a Python report names lines without columns and no browser', async () => {
  const explanation = explainByRules(await groupOf(pythonReport([])));
  expect(explanation).toContain('`pay` at `/srv/shop/cart.py:12`.');
  expect(explanation).not.toContain('browser');
});

test('the prompt of a structured report without causes has no section for causes', async () => {
  const { user } = promptFor(await groupOf(pythonReport([])));
  expect(user).not.toContain('Causes:');
});
