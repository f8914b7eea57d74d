import { isThorough } from '../test-utils/depth.ts';
import { runContract } from './run-contract.ts';
import { commands } from './suites/commands.ts';
import { failures } from './suites/failures.ts';
import { metrics } from './suites/metrics.ts';
import { program } from './suites/program.ts';
import { quota } from './suites/quota.ts';
import { reports } from './suites/reports.ts';
import { streamConnections } from './suites/stream-connections.ts';

// A short run tests what only a separate process can do. The rest runs in this process: see the other targets.
if (isThorough) runContract('program');
else runContract('program', [reports, quota, program, commands, metrics, streamConnections, failures]);
