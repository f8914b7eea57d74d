import { runContract } from './run-contract.ts';

runContract('program');
