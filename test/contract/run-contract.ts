import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { TestContext } from './context.ts';
import type { ContractTest, Suite } from './suite.ts';
import { suites } from './suites.ts';
import { targets, type TargetName } from './targets.ts';
import { TestServer } from './test-server.ts';

/** Registers every test of the contract that applies to this target. */
export function runContract(targetName: TargetName): void {
  const target = targets[targetName];
  const serversBySettings = new Map<string, Promise<TestServer>>();
  const ownServers: TestServer[] = [];

  afterEach(async () => {
    for (const server of ownServers.splice(0)) await server.stop();
    vi.useRealTimers();
  });
  afterAll(async () => {
    for (const server of serversBySettings.values()) await (await server).stop();
  });

  async function serverFor({ settings = {}, needsOwnServer, controlsClock }: ContractTest): Promise<TestServer> {
    if (needsOwnServer || controlsClock) {
      // Only Date is faked. Timers stay real, because the server and its drivers wait on them.
      if (controlsClock) vi.useFakeTimers({ toFake: ['Date'] });
      const server = await TestServer.start(target, settings);
      ownServers.push(server);
      return server;
    }
    const key = JSON.stringify(settings);
    const server = serversBySettings.get(key) ?? TestServer.start(target, settings);
    serversBySettings.set(key, server);
    return server;
  }

  for (const suite of suites) {
    const tests = suite.tests.filter((each) => appliesTo(targetName, suite, each));
    if (tests.length === 0) continue;
    describe(`${suite.name} (${targetName})`, () => {
      for (const each of tests) {
        test(`${each.title} [${each.covers.join(', ')}]`, { timeout: each.timeoutMs ?? 30_000 }, async () => {
          expect.hasAssertions();
          const context = new TestContext(await serverFor(each));
          if (each.steps) await context.runSteps(each.steps);
          await each.run?.(context);
        });
      }
    });
  }
}

function appliesTo(targetName: TargetName, suite: Suite, contractTest: ContractTest): boolean {
  if (contractTest.onlyInFullRun && process.env.TEST_DEPTH !== 'full') return false;
  if (contractTest.controlsClock && !targets[targetName].runsInProcess) return false;
  return (contractTest.targets ?? suite.targets)?.includes(targetName) ?? true;
}
