import type { Frame, FrameResolution, GroupDetails, Resolution } from '@service/protocol';
import type { CommandContext } from '../command.ts';
import { connect } from '../connect.ts';
import { explainFrame } from '../explain-frame.ts';
import { readGroupId } from '../group-id.ts';
import type { Output } from '../output.ts';
import { printable } from '../printable.ts';

/** Prints for each frame of the latest report of a group how it was resolved, or why not. */
export async function explain(context: CommandContext): Promise<void> {
  const { output, operands } = context;
  const id = readGroupId(operands[0] ?? '');
  const api = await connect(context);
  const resolution = await api.call<Resolution>('GET', `/errors/${id}/resolution`);
  const { latest_report: report } = await api.call<GroupDetails>('GET', `/errors/${id}`);
  const explained = resolution.frames.map((frame) => ({ ...frame, ...explainFrame(frame) }));
  output.json({ ...resolution, frames: explained });
  output.line(`Error ${id}, report ${resolution.report_id}, release ${printable(report?.release ?? 'none')}`);
  const frames = report?.id === resolution.report_id ? report.frames : [];
  const fixes = new Set<string>();
  for (const { cause, fix, ...frame } of explained) {
    const found = frames[frame.index];
    const original = found ? `${found.function ?? '<anonymous>'} ${sourcePath(found)}:${found.line ?? '?'}` : '';
    output.line(`${mark(frame, fix, output)} ${position(frame)}`);
    if (frame.result === 'resolved') output.line(`  ${printable(original)}${by(frame)}`);
    else output.line(`  ${printable(cause)}`);
    if (fix !== null) fixes.add(fix);
  }
  for (const fix of fixes) output.line(`Fix: ${printable(fix)}`);
}

/** Returns the path of a source without a leading `../`: a bundler writes it relative to its output. */
function sourcePath({ file }: Frame): string {
  return file?.replace(/^(?:\.\.\/)+/, '') ?? '';
}

function mark({ result }: FrameResolution, fix: string | null, output: Output): string {
  if (result === 'resolved') return output.paint('green', '✓');
  return fix === null ? output.paint('dim', '·') : output.paint('red', '✗');
}

function position({ file, line, column }: FrameResolution): string {
  return printable(file === null ? '(no file)' : `${file}:${line ?? '?'}:${column ?? '?'}`);
}

function by({ maps: [map] }: FrameResolution): string {
  return map ? ` (map ${map.id} by ${map.why.replace('_', ' ')})` : '';
}
