import { describe } from 'vitest';
import { hasSqlite } from '../../packages/server/test/storage/has-sqlite.ts';
import { runContract } from './run-contract.ts';

describe.skipIf(!hasSqlite)('sqlite', () => {
  runContract('sqlite');
});
