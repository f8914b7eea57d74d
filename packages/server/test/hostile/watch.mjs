// Runs inside the server under test (`--import`), beside it: tells how long the event loop was held up and how much
// memory there is, a line a moment, and collects garbage when asked to.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const outFd = 3;
const commandFd = 4;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

setInterval(() => {
  tell({ rss: process.memoryUsage.rss(), delayMs: delay.max / 1e6 });
  delay.reset();
}, 50).unref();

// Neither holds the server up when it wants to end.
const commands = new Socket({ fd: commandFd, readable: true, writable: false });
commands.unref();
commands.on('data', () => {
  for (let round = 0; round < 4; round++) globalThis.gc();
  tell({ rss: process.memoryUsage.rss(), delayMs: 0, collected: true });
  // What the collecting itself took is not the server's.
  delay.reset();
});
commands.on('error', () => undefined);

function tell(line) {
  try {
    writeSync(outFd, `${JSON.stringify(line)}\n`);
  } catch {
    // Nobody listens any more.
  }
}
