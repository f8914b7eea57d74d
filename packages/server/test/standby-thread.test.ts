import { afterEach, describe, expect, test } from 'vitest';
import { StandbyThread } from '../src/standby-thread.ts';

const file = new URL('threads/answering.mjs', import.meta.url);
const patienceMs = 20_000;
const opened: StandbyThread[] = [];

function open(idleMs = 60_000): StandbyThread {
  const thread = new StandbyThread(file, { idleMs, resourceLimits: { maxOldGenerationSizeMb: 32 } });
  opened.push(thread);
  return thread;
}

afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close();
});

async function threadOf(thread: StandbyThread): Promise<number> {
  return (await thread.ask<{ threadId: number }>('which', patienceMs)).threadId;
}

describe('a thread on standby', () => {
  test('answers one question after another, and stays the same', async () => {
    const thread = open();
    expect(await thread.ask('one', patienceMs)).toMatchObject({ question: 'one' });
    expect(await threadOf(thread)).toBe(await threadOf(thread));
  });

  test.each([['die'], ['throw'], ['eat']])('that is told to %s is replaced', async (question) => {
    const thread = open();
    const first = await threadOf(thread);
    await expect(thread.ask(question, patienceMs)).rejects.toThrow(/./);
    expect(await threadOf(thread)).not.toBe(first);
  });

  test('that hangs is given up and replaced', async () => {
    const thread = open();
    const first = await threadOf(thread);
    await expect(thread.ask('hang', 50)).rejects.toThrow('no answer after 50 ms');
    expect(await threadOf(thread)).not.toBe(first);
  });

  test('ends when it is not asked for a while, and is started again', async () => {
    const thread = open(0);
    const first = await threadOf(thread);
    await expect.poll(() => threadOf(thread)).not.toBe(first);
  });

  test('that is closed under a question leaves nobody waiting', async () => {
    const thread = open();
    const answer = thread.ask('hang', patienceMs);
    await Promise.all([expect(answer).rejects.toThrow('ended before it had answered'), thread.close()]);
  });
});
