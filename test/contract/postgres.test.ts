import { describe } from 'vitest';
import { hasPostgres } from '../../packages/server/test/storage/postgres-server.ts';
import { runContract } from './run-contract.ts';
import { quota } from './suites/quota.ts';
import { reports } from './suites/reports.ts';
import { groups } from './suites/groups.ts';
import { isThorough } from '../test-utils/depth.ts';

describe.skipIf(!hasPostgres)('postgres', () => {
  if (isThorough) runContract('postgres');
  else runContract('postgres', [reports, quota, groups]);
});
