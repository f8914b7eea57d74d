import type { Report } from '@service/browser';

const patienceMs = 500;
let noted = 0;
let silence = 'the same error goes out once in 5 seconds';

/** Shows what the SDK is about to report. Given to it as `beforeSend`, it changes nothing. */
export function noteReport(report: Report): Report {
  noted++;
  addLine('noticed', report.type ? `${report.type}: ${report.message}` : report.message);
  return report;
}

/** Says so if nothing is reported after a click. */
export function noteSilence(): void {
  const before = noted;
  setTimeout(() => {
    if (noted === before) addLine('silent', `Held back: ${silence}`);
  }, patienceMs);
}

/** Shows what the SDK tells its developer in the console, such as a key that the server does not know. */
export function noteWarnings(): void {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    warn(...words);
    const text = String(words[0]);
    if (!text.startsWith('[ServiceSDK]')) return;
    addLine('warning', text);
    silence = 'see the warning of the SDK';
  };
}

function addLine(kind: 'noticed' | 'silent' | 'warning', what: string): void {
  const line = document.createElement('li');
  line.className = kind;
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString('en-GB');
  line.append(time, what);
  document.querySelector('#log')?.prepend(line);
}
