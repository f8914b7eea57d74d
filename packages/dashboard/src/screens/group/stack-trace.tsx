import type { ComponentChildren } from 'preact';
import type { Frame, FrameResolution, GroupDetails, ReportDetails, Resolution } from '@service/protocol';
import { CopyButton, Pre } from '../../components/copy.tsx';
import { Fold } from '../../components/disclosure.tsx';
import { Prose, titleOf } from '../../components/prose.tsx';
import { useSignal } from '@preact/signals';
import { Code } from './source-lines.tsx';
import { foldFrames } from './fold-frames.ts';
import { placeOf, shortPlace } from './frame-location.ts';
import { needsAction, tellVerdict } from './resolution-messages.ts';

const shownAtFirst = 20;

/** All calls, the app's own ones before those of others; what is not readable says why, and what would help. */
export function Stack({
  report,
  resolution,
  group,
}: {
  report: ReportDetails;
  resolution: Resolution | null;
  group: GroupDetails;
}) {
  const { frames, stacktrace } = report;
  // The frames are those of the error itself; of its causes the raw stack tells the rest.
  const causes = stacktrace?.match(/^Caused by: .*/gm) ?? [];
  return (
    <section id="stack">
      <h2>Stack</h2>
      <NextSteps resolution={resolution} frames={frames} group={group} />
      {frames.length === 0 ? (
        <Prose id="no-stack" />
      ) : (
        <Frames key={report.id} frames={frames} resolution={resolution} />
      )}
      {causes.map((cause, index) => (
        <p key={index} class="cause" dir="auto">
          {cause}
        </p>
      ))}
      {stacktrace && (
        <Fold title="As the browser told it" class="raw">
          <Pre name="Stack as the browser told it" text={stacktrace} />
        </Fold>
      )}
    </section>
  );
}

/** The calls, innermost first. Library calls fold in their place, and what is deeper than twenty rows at the end. */
function Frames({ frames, resolution }: { frames: readonly Frame[]; resolution: Resolution | null }) {
  const isOpen = useSignal(false);
  const runs = foldFrames(frames);
  const shown = isOpen.value ? runs : runs.slice(0, shownAtFirst);
  const hidden = runs.slice(shown.length).reduce((sum, { indexes }) => sum + indexes.length, 0);
  const item = (index: number) => {
    const frame = frames[index];
    return frame && <FrameItem key={index} frame={frame} verdict={resolution?.frames[index]} />;
  };
  return (
    <>
      <ol class="frames">
        {shown.map(({ indexes, isLibrary }) =>
          isLibrary ? (
            <LibraryFrames key={`run ${indexes[0]}`} count={indexes.length} item={(nth) => item(indexes[nth] ?? -1)} />
          ) : (
            indexes.map(item)
          ),
        )}
      </ol>
      {hidden > 0 && (
        <button class="plain small" aria-expanded={false} onClick={() => (isOpen.value = true)}>
          Show {hidden} more {hidden === 1 ? 'frame' : 'frames'}
        </button>
      )}
    </>
  );
}

function LibraryFrames({ count, item }: { count: number; item(nth: number): ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <>
      <li>
        <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Hide' : 'Show'} {count} library frames
        </button>
      </li>
      {isOpen.value && Array.from({ length: count }, (_, nth) => item(nth))}
    </>
  );
}

/** Each reason once, for all frames that it keeps from being readable. */
function NextSteps({
  resolution,
  frames,
  group,
}: {
  resolution: Resolution | null;
  frames: readonly Frame[];
  group: GroupDetails;
}) {
  const told = (resolution?.frames ?? [])
    .filter((verdict) => frames[verdict.index]?.in_app && needsAction(verdict))
    .map(tellVerdict);
  return Array.from(Map.groupBy(told, String), ([why, same]) => (
    <p key={why} class="steps">
      <b>{same.length === 1 ? 'A frame is' : `${same.length} frames are`} not readable.</b> {why}{' '}
      <a href={`/projects/${group.project_id}/source-maps`}>Source maps</a>
    </p>
  ));
}

function FrameItem({ frame, verdict }: { frame: Frame; verdict: FrameResolution | undefined }) {
  const label = verdict ? titleOf(verdict.result) : frame.in_app && !frame.resolved ? 'not resolved' : null;
  const told = verdict && tellVerdict(verdict);
  const title = (
    <span class="frame-title">
      <span class="function" dir="auto">
        {frame.function ?? '(anonymous)'}
      </span>
      <span class="place" dir="auto">
        {shortPlace(frame)}
      </span>
      {label && <i class="badge">{label}</i>}
    </span>
  );
  const hasMore = frame.context.length > 0 || !!told || frame.resolved;
  return (
    <li class={frame.in_app ? 'in-app' : ''}>
      {hasMore ? (
        <details>
          <summary>{title}</summary>
          {frame.context.length > 0 && (
            <Code lines={frame.context} failing={frame.line} name={`Source of ${shortPlace(frame).slice(-80)}`} />
          )}
          <div class="frame-more">
            {told && <p>{told}</p>}
            {frame.resolved && (
              <p class="soft" dir="auto">
                In the bundle: {placeOf({ ...frame, ...frame.raw })}
              </p>
            )}
            <CopyButton text={placeOf(frame)} label="Copy place" />
          </div>
        </details>
      ) : (
        title
      )}
    </li>
  );
}
