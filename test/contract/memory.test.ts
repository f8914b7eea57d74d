import { isThorough } from '../test-utils/depth.ts';
import { runContract } from './run-contract.ts';
import { reports } from './suites/reports.ts';

// The whole contract passes on files, and without a disk little is left that can differ.
if (isThorough) runContract('memory');
else runContract('memory', [reports]);
