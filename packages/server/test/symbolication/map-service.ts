import type { ConfigInput } from '../../src/config.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import type { ProjectRecord } from '../../src/store/records/project-records.ts';
import type { TestResponse } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';
import { uploadMap } from '../test-utils/upload-map.ts';

/** Counts the reads of maps from the storage, and makes them fail. */
interface MapReads {
  count: number;
  areFailing: boolean;
}

/**
 * A service with two projects. `upload` stores a source map without a form, and `reads` can make reads of maps fail.
 */
export interface MapService extends OpenService {
  reads: MapReads;
  projects: [ProjectRecord, ProjectRecord];
  upload(project: ProjectRecord, map: object, names: { file: string; release?: string }): Promise<void>;
  report(project: ProjectRecord, fields: object): Promise<TestResponse>;
}

export async function openMapService(now: () => number = Date.now, config: ConfigInput = {}): Promise<MapService> {
  const driver = openMemoryDriver();
  const reads: MapReads = { count: 0, areFailing: false };
  const opened = await openService(config, { now, driver: { ...driver, blobs: watch(driver.blobs, reads) } });
  const { services, call } = opened;
  const create = async (name: string): Promise<ProjectRecord> => {
    const { body } = await call<{ id: number }>('POST', 'projects', { body: { name } });
    return services.store.model.tables.projects.get(body.id) as ProjectRecord;
  };
  return {
    ...opened,
    reads,
    projects: [await create('Shop'), await create('Blog')],
    upload: (project, map, names) => uploadMap(services, project, map, names),
    report: ({ api_key }, fields) =>
      call('POST', 'errors', { body: { project_api_key: api_key, message: 'It broke', ...fields } }),
  };
}

function watch(blobs: StorageDriver['blobs'], reads: MapReads): StorageDriver['blobs'] {
  const watched = <Result>(work: () => Promise<Result>): Promise<Result> => {
    reads.count++;
    return reads.areFailing ? Promise.reject(new Error('EIO')) : work();
  };
  return {
    put: (name, bytes) => blobs.put(name, bytes),
    putPieces: (name, pieces) => blobs.putPieces(name, pieces),
    get: (name) => watched(() => blobs.get(name)),
    read: (name, start, end) => watched(() => blobs.read(name, start, end)),
    async *getPieces(name) {
      await watched(async () => undefined);
      yield* blobs.getPieces(name);
    },
    remove: (name) => blobs.remove(name),
    names: () => blobs.names(),
  };
}
