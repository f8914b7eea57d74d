import type { ErrorReport } from '@service/browser';

const patienceMs = 500;
let noted = 0;
let silence = 'the same error goes out once in 5 seconds';

/** Shows each report on the page. Passed to the SDK as `beforeSend`; changes nothing. */
export function noteReport(report: ErrorReport): ErrorReport {
  noted++;
  addLine('noticed', report.type ? `${report.type}: ${report.message}` : report.message);
  return report;
}

/** Shows a note if a click causes no report. */
export function noteSilence(): void {
  const before = noted;
  setTimeout(() => {
    if (noted === before) addLine('silent', `Held back: ${silence}`);
  }, patienceMs);
}

/** Shows the SDK's console warnings on the page, such as an unknown key. */
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
