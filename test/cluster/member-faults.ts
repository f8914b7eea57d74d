import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from './test-cluster.ts';
import { isFull } from '../test-utils/depth.ts';

/** A holder that is not seen for 5 seconds is replaced, so a shorter pause causes no takeover. */
const pauseMs = isFull ? 10_000 : 6_500;

/** The faults of one server of a cluster. Each resolves once the fault is over. */
export const memberFaults = {
  async killed(member) {
    await member.kill();
    await sleep(500);
    await member.restart();
  },
  async stopped(member) {
    await member.stop();
    await member.restart();
  },
  async paused({ server }) {
    process.kill(server.pid, 'SIGSTOP');
    await sleep(pauseMs);
    process.kill(server.pid, 'SIGCONT');
  },
  async 'cut off from PostgreSQL'({ engine }) {
    engine.cutOff();
    await sleep(pauseMs);
    engine.reconnect();
  },
  async 'cut off from the others'({ peers }) {
    peers.cutOff();
    await sleep(pauseMs / 4);
    peers.reconnect();
  },
} satisfies Record<string, (member: Member) => Promise<void>>;

export type MemberFault = keyof typeof memberFaults;

export const memberFaultNames = Object.keys(memberFaults) as MemberFault[];
