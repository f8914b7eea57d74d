import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { TestContext } from './context.ts';
import type { ContractTest, Suite } from './suite.ts';
import { suites as allSuites } from './suites.ts';
import { targets, type TargetName } from './targets.ts';
import { TestServer } from './test-server.ts';
import { isFull } from '../test-utils/depth.ts';

/** Registers every test of the contract, or of some of its suites, that applies to this target. */
export function runContract(targetName: TargetName, suites: readonly Suite[] = allSuites): void {
  const target = targets[targetName];
  const serversBySettings = new Map<string, Promise<TestServer>>();
  const ownServers: TestServer[] = [];

  afterEach(async () => {
    for (const server of ownServers.splice(0)) await server.stop();
    vi.useRealTimers();
  });
  const stopSharedServers = async (): Promise<void> => {
    for (const server of serversBySettings.values()) await (await server).stop();
    serversBySettings.clear();
  };
  afterAll(stopSharedServers);

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
      // Each shared server of a cluster is several processes.
      if (targetName.startsWith('cluster')) afterAll(stopSharedServers);
      for (const each of tests) {
        test(`${each.title} [${each.covers.join(', ')}]`, async () => {
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
  if (contractTest.onlyInFullRun && !isFull) return false;
  if (contractTest.controlsClock && !targets[targetName].runsInProcess) return false;
  return (contractTest.targets ?? suite.targets)?.includes(targetName) ?? true;
}
