import { useSignal } from '@preact/signals';
import type { Cause, Frame, FrameResolution, GroupDetails, ReportDetails, Resolution } from '@service/protocol';
import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { countOf } from '../../format/count.ts';
import { foldFrames } from './fold-frames.ts';
import { formatLocation, formatShortLocation } from './frame-location.ts';
import { sourceLinesOf } from './source-lines-of.ts';
import { needsAction, symbolicationLabels, symbolicationMessage } from './symbolication-messages.ts';
import { SourceLines } from './source-lines.tsx';

const maxRows = 20;

interface StackTraceProps {
  report: ReportDetails;
  resolution: Resolution | null;
  group: GroupDetails;
}

/** The stack trace of a report, with the reasons why frames could not be resolved. */
export function StackTrace({ report, resolution, group }: StackTraceProps) {
  const { frames, causes, stacktrace } = report;
  return (
    <section id="stack">
      <h2>Stack trace</h2>
      <UnresolvedFrames resolution={resolution} frames={frames} group={group} />
      {frames.length === 0 ? (
        <p class="soft">The report has no stack trace.</p>
      ) : (
        <Frames key={report.id} frames={frames} resolution={resolution} />
      )}
      {causes.map((cause, index) => (
        <CauseItem key={`${report.id} ${index}`} cause={cause} />
      ))}
      {stacktrace && (
        <Disclosure title="Original stack trace" class="raw">
          <CodeBlock name="Original stack trace" text={stacktrace} />
        </Disclosure>
      )}
    </section>
  );
}

/** What each relation of an error to the one above it is called. Browsers report causes only. */
const relationNames: Record<NonNullable<Cause['relation']>, string> = {
  cause: 'Caused by',
  context: 'While handling',
  member: 'Member of the group',
};

/** A cause of the error, or a member of a group of errors, with its frames. */
function CauseItem({ cause: { type, message, relation, frames } }: { cause: Cause }) {
  return (
    <section class="cause">
      <h3 dir="auto">
        {relationNames[relation ?? 'cause']}: {[type, message].filter(Boolean).join(': ')}
      </h3>
      {frames.length > 0 && <Frames frames={frames} resolution={null} />}
    </section>
  );
}

/** Each reason once, with the number of the app's frames that it applies to. */
function UnresolvedFrames({ resolution, frames, group }: Omit<StackTraceProps, 'report'> & { frames: Frame[] }) {
  const messages = (resolution?.frames ?? [])
    .filter((frame) => frames[frame.index]?.in_app && needsAction(frame))
    .map(symbolicationMessage);
  return Array.from(Map.groupBy(messages, String), ([message, { length }]) => (
    <p key={message} class="steps">
      <b>{countOf(length, 'frame')} could not be resolved.</b> {message}{' '}
      <a href={`/projects/${group.project_id}/source-maps`}>Source maps</a>
    </p>
  ));
}

/** The frames, innermost first. Neighbouring library frames are folded, and only the first twenty rows are shown. */
function Frames({ frames, resolution }: { frames: readonly Frame[]; resolution: Resolution | null }) {
  const isOpen = useSignal(false);
  const runs = foldFrames(frames);
  const shown = isOpen.value ? runs : runs.slice(0, maxRows);
  const hidden = runs.slice(shown.length).reduce((sum, { indexes }) => sum + indexes.length, 0);
  const renderFrame = (index: number) => {
    const frame = frames[index];
    return frame && <FrameItem key={index} frame={frame} resolution={resolution?.frames[index]} />;
  };
  return (
    <>
      <ol class="frames">
        {shown.map(({ indexes, isLibrary }) =>
          isLibrary ? (
            <LibraryFrames key={`library ${indexes[0]}`} count={indexes.length}>
              {() => indexes.map(renderFrame)}
            </LibraryFrames>
          ) : (
            indexes.map(renderFrame)
          ),
        )}
      </ol>
      {hidden > 0 && (
        <button class="plain small" aria-expanded={false} onClick={() => (isOpen.value = true)}>
          Show {countOf(hidden, 'more frame')}
        </button>
      )}
    </>
  );
}

/** Returns whether a source map gave the location of a frame. The client may also have sent the source itself. */
function isFromMap({ resolved, file, line, raw }: Frame): boolean {
  return resolved && (file !== raw.file || line !== raw.line);
}

function LocalVariables({ variables }: { variables: Readonly<Record<string, string>> }) {
  return (
    <section class="variables" aria-label="Local variables">
      <DefinitionList entries={Object.entries(variables).map(([name, text]) => [name, <code>{text}</code>])} />
    </section>
  );
}

function LibraryFrames({ count, children }: { count: number; children: () => ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <>
      <li>
        <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Hide' : 'Show'} {countOf(count, 'library frame')}
        </button>
      </li>
      {isOpen.value && children()}
    </>
  );
}

function FrameItem({ frame, resolution }: { frame: Frame; resolution: FrameResolution | undefined }) {
  const label = resolution ? symbolicationLabels[resolution.result] : frame.in_app && !frame.resolved && 'not resolved';
  const lines = sourceLinesOf(frame);
  // A file that is not minified needs no map if the client has sent its source.
  const hasSource = resolution?.result === 'not_minified' && !!lines[0];
  const message = resolution && !hasSource && symbolicationMessage(resolution);
  const title = (
    <span class="frame-title">
      <span class="function" dir="auto">
        {frame.function ?? '(anonymous)'}
      </span>
      <span class="source" dir="auto">
        {formatShortLocation(frame)}
      </span>
      {label && <i class="badge">{label}</i>}
    </span>
  );
  const hasDetails = !!lines[0] || !!message || frame.resolved;
  return (
    <li class={frame.in_app ? 'in-app' : ''}>
      {hasDetails ? (
        <details>
          <summary>{title}</summary>
          {lines[0] && (
            <SourceLines
              lines={lines}
              failing={frame.line}
              name={`Source of ${formatShortLocation(frame).slice(-80)}`}
            />
          )}
          <div class="frame-more">
            {message && <p>{message}</p>}
            {frame.variables && <LocalVariables variables={frame.variables} />}
            {isFromMap(frame) && (
              <p class="soft" dir="auto">
                In the bundle: {formatLocation({ ...frame, ...frame.raw })}
              </p>
            )}
            <CopyButton text={formatLocation(frame)} label="Copy location" />
          </div>
        </details>
      ) : (
        title
      )}
    </li>
  );
}
