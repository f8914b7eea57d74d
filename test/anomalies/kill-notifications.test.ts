import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChatSink } from '../contract/notification-sinks.ts';
import { startServer, type ServerProcess } from '../test-utils/server-process.ts';

const patience = { timeout: 60_000, interval: 10 };

test('kill -9 while a notification is being delivered: it is delivered once after the restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'service-kill-'));
  const chat = await startChatSink();
  let server: ServerProcess | null = null;
  const start = () => startServer(`file:${folder}`, [], { SERVICE_ALLOW_PRIVATE_WEBHOOKS: 'true' });
  try {
    server = await start();
    const { body: project } = await server.call('POST', 'projects', { name: 'Shop' });
    const settings = `projects/${String(project.id)}/notifications`;
    await server.call('PUT', settings, {
      email: { enabled: false, to: [] },
      webhook: { enabled: true, url: chat.url, format: 'slack' },
    });
    // The chat receives the notification, but does not respond before the server is killed.
    chat.status = null;
    await server.call('POST', 'errors', { project_api_key: project.api_key, message: 'It broke' });
    await expect.poll(() => chat.texts.length, patience).toBe(1);
    await server.kill();
    chat.status = 200;
    chat.texts.length = 0;

    server = await start();
    await expect.poll(() => chat.texts.length, patience).toBe(1);
    expect(chat.texts[0]).toContain('It broke');
    // Notifications are delivered in order: when this one arrives, no other is pending.
    expect((await server.call('POST', `${settings}/test`)).status).toBe(202);
    await expect.poll(() => chat.texts.length, patience).toBe(2);
    expect(chat.texts[1]).toContain('This is a test');
  } finally {
    await server?.kill();
    await chat.close();
    await rm(folder, { recursive: true, force: true });
  }
});
