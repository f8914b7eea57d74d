import { Machine, type Rules } from './machine.ts';
import { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { Session } from './session.ts';
import { emptyStorage, type Storage, type StorageName } from './storage.ts';
import { Weather, type Fault } from './weather.ts';
import { World } from './world.ts';

export interface Plan {
  seed: number;
  storage: StorageName;
  steps?: number;
  /** One operation of the storage goes wrong, and no other does. If the server dies of it, the power may fail too. */
  trouble?: { operation: number; fault: Fault; losesPower: boolean };
  /** Nothing goes wrong but what `trouble` says. */
  isCalm?: boolean;
}

/** Files hold most of what can go wrong, so two of three seeds are theirs. */
export function storageOf(seed: number): StorageName {
  return seed % 3 === 0 ? 'items' : 'files';
}

export interface Outcome {
  failure: Error | null;
  /** What happened, a line each. */
  trace: string[];
  /** How many operations the storage was asked for. */
  operations: number;
}

/** A storage that was started on once: making the first owner takes longer than all the rest. */
const begun = new Map<StorageName, Promise<Storage>>();

/** Lives a session that the seed alone decides, down to the order in which its operations end. */
export async function simulate({ seed, storage, steps, trouble, isCalm = false }: Plan): Promise<Outcome> {
  const random = new SeededRandom(seed);
  const world = new World(random);
  const weather = new Weather(random.fork());
  if (trouble) weather.fates.set(trouble.operation, trouble.fault);
  const rules: Rules = { errorQuota: random.pick([null, null, 25, 60]), retentionReports: random.pick([2, 100]) };
  const isFirstStart = !isCalm && random.chance(0.1);
  const disk = isFirstStart ? emptyStorage(storage) : (await begunStorage(storage)).clone();
  const machine = new Machine(world, disk, weather, rules);
  const strays: unknown[] = [];
  const onStray = (reason: unknown): void => void strays.push(reason);
  process.on('unhandledRejection', onStray);
  let failure: Error | null = null;
  try {
    await new Session(world, machine, { isStormy: !isCalm, losesPower: trouble?.losesPower ?? null }).live(
      steps ?? random.between(4, 10),
    );
    if (strays.length > 0) failure = new Error(`A rejection that nobody handles: ${String(strays[0])}`);
  } catch (error) {
    failure = error as Error;
  } finally {
    process.off('unhandledRejection', onStray);
  }
  return { failure, trace: world.trace, operations: weather.operations };
}

function begunStorage(name: StorageName): Promise<Storage> {
  let storage = begun.get(name);
  if (!storage) begun.set(name, (storage = begin(name)));
  return storage;
}

async function begin(name: StorageName): Promise<Storage> {
  const random = new SeededRandom(1);
  const disk = emptyStorage(name);
  const machine = new Machine(new World(random), disk, new Weather(random), { errorQuota: null, retentionReports: 1 });
  await machine.start();
  await machine.stop();
  return disk;
}
