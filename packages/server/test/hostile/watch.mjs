// Runs inside the server under test (`--import`), beside it: tells how long the event loop was held up and how much
// memory there is, a line a moment, and collects garbage when asked to.
import { readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const outFd = 3;
const commandFd = 4;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

let waitedMs = waitedForCpuMs();
setInterval(() => {
  const waited = waitedForCpuMs();
  tell({ rss: process.memoryUsage.rss(), delayMs: Math.max(0, delay.max / 1e6 - (waited - waitedMs)) });
  waitedMs = waited;
  delay.reset();
}, 50).unref();

/** How long this thread was ready and others had the processor: no fault of the server, and most of a delay on a machine that is busy. */
function waitedForCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

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
