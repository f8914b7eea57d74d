import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import { testedOperations } from '../tested-operations.ts';
import type { Suite } from '../suite.ts';

/** Operations with separate tests instead of a line in the table. */
const operationsOutsideTheTable = [
  { method: 'POST', path: 'errors' },
  { method: 'DELETE', path: 'auth/session' },
  { method: 'POST', path: 'auth/logout' },
  { method: 'GET', path: 'openapi.json' },
  { method: 'POST', path: 'billing/webhook/{provider}' },
  { method: 'POST', path: 'auth/me/delete' },
  { method: 'POST', path: 'team/delete' },
  // They need a mail server.
  { method: 'POST', path: 'auth/verification' },
  { method: 'POST', path: 'projects/{project}/notifications/recipients/ask' },
];

/** The OpenAPI description, and the page that shows it. */
export const openapi: Suite = {
  name: 'OpenAPI',
  tests: [
    {
      title: 'GET /openapi.json returns OpenAPI 3.1 without a token',
      covers: ['conv.openapi.open', 'auth.open'],
      async run(context) {
        const description = await context.send(200, 'GET', 'openapi.json', { token: null });
        expect(description.openapi).toMatch(/^3\.1\./);
        expect(description.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
      },
    },
    {
      title: 'the OpenAPI description contains every operation of the contract with its response',
      covers: ['conv.openapi.whole'],
      async run(context) {
        const { paths, servers } = await context.send(200, 'GET', 'openapi.json', { token: null });
        const prefix = new URL((servers as Json[])?.[0]?.url ?? '/', context.server.url).pathname.replace(/\/$/, '');
        const plain = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');
        const described = new Map<string, Json>();
        for (const [path, methods] of Object.entries(paths as Record<string, Json>))
          for (const [method, operation] of Object.entries(methods))
            described.set(`${method.toUpperCase()} ${plain(`${prefix}${path}`)}`, operation);
        for (const { method, path, ...more } of [...testedOperations, ...operationsOutsideTheTable]) {
          const operation = described.get(`${method} /api/v1/${plain(path)}`);
          expect(operation, `${method} ${path}`).toBeDefined();
          if ('status' in more) expect(Object.keys(operation.responses)).toContain(String(more.status));
          described.delete(`${method} /api/v1/${plain(path)}`);
        }
        // A new operation must also be added to the table of the contract tests.
        expect([...described.keys()]).toEqual([]);
      },
    },
    {
      title: 'GET /docs/api shows every operation without a token',
      covers: ['conv.openapi.page', 'auth.open'],
      async run(context) {
        const { status, headers, text } = await context.call('GET', '/docs/api', { token: null });
        expect([status, headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^text\/html; ?charset=utf-8$/i),
        ]);
        expect(text).toMatch(/^<!doctype html>/i);
        const { paths } = await context.send(200, 'GET', 'openapi.json', { token: null });
        const plain = text.replaceAll(/<[^>]*>/g, '');
        for (const [path, methods] of Object.entries(paths as Record<string, Json>))
          for (const method of Object.keys(methods)) expect(plain).toContain(`${method.toUpperCase()} ${path}`);
      },
    },
  ],
};
