import type { Outcome, Plan } from './simulate.ts';

const shownLines = 80;

/** Returns an error with the anomaly, the end of the trace, and the command that repeats the run. */
export function failureReport({ seed, storage, plannedFault }: Plan, { failure, trace }: Outcome, file: string): Error {
  const which = plannedFault ? `, ${plannedFault.fault} at #${plannedFault.operation}` : '';
  const again = plannedFault
    ? `OPERATION=${plannedFault.operation} npx vitest run --config vitest.workspace.ts --project workspace anomalies/${file}`
    : `SEED=${seed} npx vitest run --config vitest.workspace.ts --project workspace anomalies/${file}`;
  const shown = process.env.SEED || process.env.OPERATION ? trace : trace.slice(-shownLines);
  const left = trace.length - shown.length;
  return new Error(
    [
      `${failure?.name === 'Anomaly' ? failure.message : (failure?.stack ?? 'The run failed')}`,
      `Seed ${seed} on ${storage}${which}. Repeat with the whole trace: ${again}`,
      left > 0 ? `… ${left} earlier lines …` : '',
      ...shown,
    ].join('\n'),
    { cause: failure },
  );
}
