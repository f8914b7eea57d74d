#!/usr/bin/env node
// A separate file, so that the command can be linked before the server is built.
import { endStart } from '../dist/end-start.js';

// Without a handler, the system sends no signal to the first process of a container, and loading the program takes a while.
process.on('SIGTERM', endStart).on('SIGINT', endStart);
await import('../dist/cli.js');
