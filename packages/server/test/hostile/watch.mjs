// Runs inside the server under test (`--import`). Every 50 ms, reports the memory and the longest turn of the event
// loop, in one line. Commands: `peaks` reports now, `gc` collects garbage and reports the memory.
import { readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

const outFd = 3;
const commandFd = 4;
const tickMs = 5;

let longestMs = 0;
let usedMs = cpuMs();
setInterval(endTurn, tickMs).unref();
setInterval(() => reportPeaks(), 50).unref();

/**
 * Measures the CPU time since the last call. The timer never splits a turn of the event loop, so the maximum is at
 * least the time of the longest turn.
 */
function endTurn() {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - usedMs);
  usedMs = now;
}

/** @param {string} [command] the command that this line responds to */
function reportPeaks(command) {
  report({ rss: process.memoryUsage.rss(), turnMs: longestMs, command });
  longestMs = 0;
}

/**
 * Returns the CPU time of this thread. Unlike the delay of a timer, it does not grow while other processes have the
 * processor. On systems without the file, it is the time of all threads, which is never shorter.
 */
function cpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

// Neither the timers nor the socket may keep the server alive.
const commands = new Socket({ fd: commandFd, readable: true, writable: false });
commands.unref();
commands.on('data', (chunk) => {
  for (const command of chunk.toString().split('\n')) {
    if (command === 'gc') collect();
    else if (command === 'peaks') {
      endTurn();
      reportPeaks(command);
    }
  }
});
commands.on('error', () => undefined);

function collect() {
  endTurn();
  for (let round = 0; round < 4; round++) globalThis.gc();
  report({ rss: process.memoryUsage.rss(), turnMs: 0, command: 'gc' });
  // The garbage collection must not count.
  usedMs = cpuMs();
}

function report(sample) {
  try {
    writeSync(outFd, `${JSON.stringify(sample)}\n`);
  } catch {
    // The test has closed the pipe.
  }
}
