import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { Chapter, ContractTest } from './chapter.ts';
import { chapters } from './chapters.ts';
import { places, type PlaceName } from './places.ts';
import { RunningServer } from './running-server.ts';
import { Scene } from './scene.ts';

/** Runs every test of the contract that makes sense at this place. */
export function runContract(name: PlaceName): void {
  const place = places[name];
  /** By their settings. */
  const shared = new Map<string, Promise<RunningServer>>();
  const own: RunningServer[] = [];

  afterEach(async () => {
    for (const server of own.splice(0)) await server.end();
    vi.useRealTimers();
  });
  afterAll(async () => {
    for (const server of shared.values()) await (await server).end();
  });

  async function serverFor({ settings = {}, isAlone, turnsClock }: ContractTest): Promise<RunningServer> {
    if (isAlone || turnsClock) {
      // Only the time of day is turned: timers go on as they do.
      if (turnsClock) vi.useFakeTimers({ toFake: ['Date'] });
      const server = await RunningServer.start(place, settings);
      own.push(server);
      return server;
    }
    const key = JSON.stringify(settings);
    const server = shared.get(key) ?? RunningServer.start(place, settings);
    shared.set(key, server);
    return server;
  }

  for (const chapter of chapters) {
    const here = chapter.tests.filter((one) => isFor(chapter, one, name));
    if (here.length === 0) continue;
    describe(`${chapter.name} (${name})`, () => {
      for (const each of here) {
        test(`${each.title} [${each.proves.join(', ')}]`, { timeout: each.patience ?? 30_000 }, async () => {
          expect.hasAssertions();
          const scene = new Scene(await serverFor(each));
          if (each.steps) await scene.take(each.steps);
          await each.run?.(scene);
        });
      }
    });
  }
}

function isFor(
  chapter: Chapter,
  { places: only = chapter.places, turnsClock, isLong }: ContractTest,
  name: PlaceName,
): boolean {
  if (isLong && process.env.TEST_DEPTH !== 'full') return false;
  return (only?.includes(name) ?? true) && (!turnsClock || places[name].hasClock);
}
