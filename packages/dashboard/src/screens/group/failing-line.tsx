import type { ReportDetails, Resolution } from '@service/protocol';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatLocation, formatShortLocation } from './frame-location.ts';
import { sourceLinesOf } from './source-lines-of.ts';
import { mainFrame } from './main-frame.ts';
import { symbolicationMessage } from './symbolication-messages.ts';
import { SourceLines } from './source-lines.tsx';

/** The line of the app's own code that failed. */
export function FailingLine({ report, resolution }: { report: ReportDetails; resolution: Resolution | null }) {
  const frame = mainFrame(report.frames);
  if (!frame) return null;
  const lines = sourceLinesOf(frame);
  const frameResolution = resolution?.frames[report.frames.indexOf(frame)];
  return (
    <section class="failing-line" aria-label="Failing line">
      <header>
        <code dir="auto" title={formatLocation(frame)}>
          {formatShortLocation(frame)}
        </code>
        {frame.function && (
          <span class="function" dir="auto">
            {frame.function}
          </span>
        )}
        <CopyButton text={formatLocation(frame)} name="file, line and column" />
      </header>
      {lines[0] ? (
        <SourceLines lines={lines} failing={frame.line} name="Source around the failing line" />
      ) : (
        <p class="soft">
          The source of this line is not available. {frameResolution && symbolicationMessage(frameResolution)}
        </p>
      )}
    </section>
  );
}
