import type { ReportDetails } from '@service/protocol';
import { CopyButton } from '../parts/copy.tsx';
import { Prose } from '../parts/prose.tsx';
import { Code } from './code.tsx';
import { firstFrame, placeOf, shortPlace } from './place.ts';

/** The line of the reader's own code on which it failed. */
export function FailingLine({ report }: { report: ReportDetails }) {
  const frame = firstFrame(report.frames);
  if (!frame) return null;
  return (
    <section class="failing-line" aria-label="Failing line">
      <header>
        <code dir="auto" title={placeOf(frame)}>
          {shortPlace(frame)}
        </code>
        {frame.function && (
          <span class="function" dir="auto">
            {frame.function}
          </span>
        )}
        <CopyButton text={placeOf(frame)} name="file, line and column" />
      </header>
      {frame.context.length > 0 ? (
        <Code lines={frame.context} failing={frame.line} name="Source around the failing line" />
      ) : (
        <Prose id="no-source" />
      )}
    </section>
  );
}
