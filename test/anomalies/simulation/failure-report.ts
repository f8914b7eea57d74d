import type { Outcome, Plan } from './simulate.ts';

const shownLines = 80;

/** What somebody needs who has to find out why: what was wrong, what had happened, and how to see it again. */
export function failureReport({ seed, storage, trouble }: Plan, { failure, trace }: Outcome, file: string): Error {
  const which = trouble ? `, ${trouble.fault} at #${trouble.operation}` : '';
  const again = trouble
    ? `OPERATION=${trouble.operation} npx vitest run --config vitest.workspace.ts --project workspace anomalies/${file}`
    : `SEED=${seed} npx vitest run --config vitest.workspace.ts --project workspace anomalies/${file}`;
  const shown = process.env.SEED || process.env.OPERATION ? trace : trace.slice(-shownLines);
  const left = trace.length - shown.length;
  return new Error(
    [
      `${failure?.name === 'Anomaly' ? failure.message : (failure?.stack ?? 'It failed')}`,
      `Seed ${seed} on ${storage}${which}. Again, with the whole trace: ${again}`,
      left > 0 ? `… ${left} lines …` : '',
      ...shown,
    ].join('\n'),
    { cause: failure },
  );
}
