import { isThorough } from '../test-utils/depth.ts';
import { runContract } from './run-contract.ts';
import { reports } from './suites/reports.ts';

// The target `file` runs the whole contract. Without a disk, little can differ.
if (isThorough) runContract('memory');
else runContract('memory', [reports]);
