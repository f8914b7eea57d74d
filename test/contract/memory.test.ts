import { runContract } from './run-contract.ts';

runContract('memory');
