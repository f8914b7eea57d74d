import type { ReportDetails, Resolution } from '@service/protocol';
import { CopyButton } from '../../components/copy.tsx';
import { textOf } from '../../components/prose.tsx';
import { Code } from './source-lines.tsx';
import { firstFrame, placeOf, shortPlace } from './frame-location.ts';
import { tellVerdict } from './resolution-messages.ts';

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
