// Runs inside the server under test (`--import`). Reports the event loop delay and the memory every 50 ms, a line each,
// and collects garbage on command.
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
  report({ rss: process.memoryUsage.rss(), delayMs: Math.max(0, delay.max / 1e6 - (waited - waitedMs)) });
  waitedMs = waited;
  delay.reset();
}, 50).unref();

/**
 * Returns the time that this thread was ready to run while others had the processor. On a busy machine this is most of a
 * delay and not the fault of the server.
 */
function waitedForCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

// Neither the timer nor the socket may keep the server alive.
const commands = new Socket({ fd: commandFd, readable: true, writable: false });
commands.unref();
commands.on('data', () => {
  for (let round = 0; round < 4; round++) globalThis.gc();
  report({ rss: process.memoryUsage.rss(), delayMs: 0, collected: true });
  // The delay of the garbage collection must not count.
  delay.reset();
});
commands.on('error', () => undefined);

function report(sample) {
  try {
    writeSync(outFd, `${JSON.stringify(sample)}\n`);
  } catch {
    // The test has closed the pipe.
  }
}
