import { runContract } from './run-contract.ts';

runContract('file');
