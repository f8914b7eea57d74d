import { runContract } from './run-contract.ts';
import { groups } from './suites/groups.ts';
import { limits } from './suites/limits.ts';
import { lists } from './suites/lists.ts';
import { quota } from './suites/quota.ts';
import { reportContent } from './suites/report-content.ts';
import { reports } from './suites/reports.ts';

// The suites about the operations that the tests of an app use.
runContract('mocks', [reports, reportContent, limits, quota, lists, groups]);
