import { describe } from 'vitest';
import { hasSqlite } from '../../packages/server/test/storage/has-sqlite.ts';
import { isThorough } from '../test-utils/depth.ts';
import { runContract } from './run-contract.ts';
import { payments } from './suites/payments.ts';
import { program } from './suites/program.ts';
import { quota } from './suites/quota.ts';
import { reports } from './suites/reports.ts';

describe.skipIf(!hasSqlite)('sqlite', () => {
  if (isThorough) runContract('sqlite');
  else runContract('sqlite', [reports, quota, payments, program]);
});
