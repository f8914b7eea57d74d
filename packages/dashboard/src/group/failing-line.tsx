import type { ReportDetails, Resolution } from '@service/protocol';
import { CopyButton } from '../parts/copy.tsx';
import { textOf } from '../parts/prose.tsx';
import { Code } from './code.tsx';
import { firstFrame, placeOf, shortPlace } from './place.ts';
import { tellVerdict } from './verdicts.ts';

/** The line of the reader's own code on which it failed. */
export function FailingLine({ report, resolution }: { report: ReportDetails; resolution: Resolution | null }) {
  const frame = firstFrame(report.frames);
  if (!frame) return null;
  const verdict = resolution?.frames[report.frames.indexOf(frame)];
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
        <p class="soft">
          {textOf('no-source')} {verdict && tellVerdict(verdict)}
        </p>
      )}
    </section>
  );
}
