import { Machine, type Rules } from './machine.ts';
import { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { Session } from './session.ts';
import { emptyStorage, type Storage, type StorageName } from './storage.ts';
import { FaultInjector, type Fault } from './fault-injector.ts';
import { Scheduler } from './scheduler.ts';

export interface Plan {
  seed: number;
  storage: StorageName;
  steps?: number;
  /** A fault of one storage operation. If it kills the server, the power may also fail. */
  plannedFault?: { operation: number; fault: Fault; losesPower: boolean };
  /** Injects no random faults, only `plannedFault`. */
  withoutRandomFaults?: boolean;
}

/** Two of three seeds use files, which can fail in more ways. */
export function storageOf(seed: number): StorageName {
  return seed % 3 === 0 ? 'items' : 'files';
}

export interface Outcome {
  failure: Error | null;
  /** One line for each event. */
  trace: string[];
  /** The number of storage operations. */
  operations: number;
}

/** Storages after a first start, which is slow because it hashes the owner's password. */
const prepared = new Map<StorageName, Promise<Storage>>();

/** Runs a session that the seed alone determines, down to the order in which its operations end. */
export async function simulate({
  seed,
  storage,
  steps,
  plannedFault,
  withoutRandomFaults = false,
}: Plan): Promise<Outcome> {
  const random = new SeededRandom(seed);
  const scheduler = new Scheduler(random);
  const faults = new FaultInjector(random.fork());
  if (plannedFault) faults.plannedFaults.set(plannedFault.operation, plannedFault.fault);
  const rules: Rules = { errorQuota: random.pick([null, null, 25, 60]), retentionReports: random.pick([2, 100]) };
  const isFirstStart = !withoutRandomFaults && random.chance(0.1);
  const disk = isFirstStart ? emptyStorage(storage) : (await preparedStorage(storage)).clone();
  const machine = new Machine(scheduler, disk, faults, rules);
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  let failure: Error | null = null;
  try {
    await new Session(scheduler, machine, {
      hasRandomFaults: !withoutRandomFaults,
      losesPower: plannedFault?.losesPower ?? null,
    }).run(steps ?? random.between(4, 10));
    if (unhandled.length > 0) failure = new Error(`An unhandled rejection: ${String(unhandled[0])}`);
  } catch (error) {
    failure = error as Error;
  } finally {
    machine.end();
    process.off('unhandledRejection', onUnhandled);
  }
  return { failure, trace: scheduler.trace, operations: faults.operations };
}

function preparedStorage(name: StorageName): Promise<Storage> {
  let storage = prepared.get(name);
  if (!storage) prepared.set(name, (storage = prepareStorage(name)));
  return storage;
}

async function prepareStorage(name: StorageName): Promise<Storage> {
  const random = new SeededRandom(1);
  const disk = emptyStorage(name);
  const machine = new Machine(new Scheduler(random), disk, new FaultInjector(random), {
    errorQuota: null,
    retentionReports: 1,
  });
  await machine.start();
  await machine.stop();
  return disk;
}
