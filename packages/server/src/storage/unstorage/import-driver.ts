import { builtinDrivers, type Driver as UnstorageDriver } from 'unstorage';
import { UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import { missingPackage } from '../../store/log/missing-package.ts';

export type DriverOptions = Record<string, unknown>;

const folder = 'unstorage/drivers/';
/** Required major versions of packages whose latest version does not work with unstorage. */
const versions: Record<string, string | undefined> = { ioredis: '5' };

/** Returns the module name of an unstorage driver: `fs-lite` for `fsLite`. Throws if unstorage has no such driver. */
export function builtInName(name: string): string {
  const known = Object.entries(builtinDrivers).find(([driver]) => driver === name);
  if (known) return known[1].slice(folder.length);
  throw new UnusableStorageError(
    `storage: unstorage has no driver ${JSON.stringify(name)}. It has ${[...new Set(Object.values(builtinDrivers))].map((path) => path.slice(folder.length)).join(', ')}.`,
  );
}

/** Imports and creates an unstorage driver. `name` is a result of `builtInName`. */
export async function importDriver(name: string, options: DriverOptions): Promise<UnstorageDriver> {
  try {
    const module = (await import(folder + name)) as {
      default: (options: DriverOptions) => UnstorageDriver;
    };
    return module.default(options);
  } catch (error) {
    const missing = missingPackage(error);
    if (!missing) throw storageUnusable(name, error);
    const wanted = versions[missing] ? `${missing}@${versions[missing]}` : missing;
    throw new UnusableStorageError(
      `The storage ${name} needs the package ${missing}, which is not installed: npm install ${wanted}`,
      { cause: error },
    );
  }
}
