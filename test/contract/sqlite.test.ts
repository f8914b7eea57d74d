import { describe } from 'vitest';
import { hasSqlite } from '../../packages/server/test/store/has-sqlite.ts';
import { runContract } from './run-contract.ts';

describe.skipIf(!hasSqlite)('sqlite', () => {
  runContract('sqlite');
});
