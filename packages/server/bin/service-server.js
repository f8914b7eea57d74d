#!/usr/bin/env node
// A separate file, so that the command can be linked before the server is built.

// The system sends no signal without a handler to the first process of a container, and loading the program takes a
// while. These handlers do nothing as soon as the program has its own.
const exitCodes = { SIGTERM: 143, SIGINT: 130 };
for (const [signal, code] of Object.entries(exitCodes))
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(code);
  });

await import('../dist/cli.js');
