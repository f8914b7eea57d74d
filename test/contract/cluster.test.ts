import { describe } from 'vitest';
import { hasPostgres } from '../../packages/server/test/storage/postgres-server.ts';
import { runContract } from './run-contract.ts';
import { metrics } from './suites/metrics.ts';
import { resolution } from './suites/resolution.ts';
import { streamConnections } from './suites/stream-connections.ts';
import { isFull } from '../test-utils/depth.ts';

describe.skipIf(!hasPostgres)('cluster', () => {
  if (isFull) {
    runContract('cluster2');
    runContract('cluster4');
  } else {
    runContract('cluster2', [metrics, resolution, streamConnections]);
  }
});
