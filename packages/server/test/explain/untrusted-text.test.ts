import type { GroupDetails } from '@service/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainByRules } from '../../src/explain/explain-by-rules.ts';
import { promptFor } from '../../src/explain/prompt.ts';
import { truncate } from '../../src/text/truncate.ts';
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

/** Returns a report with this text in every field that an explanation shows. */
function reportOf(text: string): object {
  return {
    message: text,
    type: text,
    release: text,
    environment: text,
    url: `https://shop.example/${text}`,
    stacktrace: `Error: ${text}\n    at ${text} (https://shop.example/app.js:1:1)\nCaused by: ${text}`,
    metadata: { text, list: [text], [text]: 1 },
    // A longer timestamp is rejected.
    breadcrumbs: [
      {
        timestamp: `2026-01-01 (${truncate(text, 40)})`,
        type: text,
        category: text,
        data: { message: text, [text]: text },
      },
    ],
  };
}

/** Returns the group with a line of source in every frame, as a source map would add it. */
function withSource(group: GroupDetails, text: string): GroupDetails {
  const report = group.latest_report;
  if (!report) throw new Error('The group has no stored report.');
  const frames = report.frames.map((frame) => ({ ...frame, in_app: true, context: [{ line: frame.line ?? 1, text }] }));
  return { ...group, latest_report: { ...report, frames } };
}

/** Matches texts without control characters other than newline and tab. */
const plain = /^[\P{Cc}\n\t]*$/u;

test('explanations and prompts truncate text between surrogate pairs', async () => {
  for (const first of ['', 'x']) {
    const text = first + '😀'.repeat(5_000);
    const group = await groupOf(reportOf(text));
    const shown = withSource(group, text);
    expect(promptFor(shown).user.isWellFormed()).toBe(true);
    // JSON escapes a lone surrogate.
    expect(promptFor(shown).user).not.toMatch(/\\u[dD][89a-fA-F]/);
    expect(explainByRules(shown).isWellFormed()).toBe(true);
  }
});

test('explanations and prompts contain no control characters of a report', async () => {
  const text = 'It\u0000 broke\u001b[31m \u009b1m';
  const group = await groupOf(reportOf(text));
  const shown = withSource(group, text);
  expect(promptFor(shown).user).toMatch(plain);
  expect(promptFor(shown).user).toContain('Message: It broke[31m 1m');
  expect(explainByRules(shown)).toMatch(plain);
});

test('removing a control character cannot create a secret, a fence or a code span', async () => {
  const group = await groupOf({
    message: 'pass\u0000word=hunter2hunter2 -\u0000----END\u0000 REPORT x----- `\u0000` of customer\u0000-4711',
    user: { id: 'customer\u0000-4711' },
    stacktrace: 'Error: x\n    at pay (https://shop.example/app.js:1:1)',
    breadcrumbs: [{ timestamp: '2026-01-01 (`\n# no heading)', type: 'x', category: 'y', data: {} }],
  });
  const { user } = promptFor(group);
  expect(user).not.toContain('hunter2');
  expect(user.match(/-----END REPORT/g)).toHaveLength(1);
  expect(user).not.toContain('4711');
  const explained = explainByRules(withSource(group, 'const a = 1;\r# no heading'));
  expect(explained).not.toMatch(/^# no heading/m);
  expect(explained).toContain('    const a = 1; # no heading');
  expect(explained).toContain('- 2026-01-01T');
  // The fence is longer than the longest run of backticks inside.
  expect(explained).toMatch(/``` .*`` of customer-4711 .*```/);
});

test('a prompt contains neither the id nor the name nor the address of the user, nor tags', async () => {
  const group = await groupOf({
    message: 'No basket of Ada Lovelace, ada@shop.example, customer-4711',
    user: { id: 'customer-4711', name: 'Ada Lovelace', email: 'ada@shop.example' },
    tags: { tenant: 'acme-of-ada' },
    metadata: { contact: 'Ada%20Lovelace', owner: 'ADA@shop.example' },
  });
  expect(promptFor(group).user).toContain('No basket of');
  expect(promptFor(group).user).not.toMatch(/ada\b|lovelace|4711|acme/i);
});
