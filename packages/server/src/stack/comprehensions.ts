import type { StackFrame } from './stack-frame.ts';

/** Functions that Python generates for an expression. Since 3.12 most of these are no longer functions. */
const comprehension = /(?:^|\.)<(?:listcomp|setcomp|dictcomp|genexpr)>$/;

/**
 * Replaces a comprehension by the function that contains it. Otherwise one bug would have one frame key in Python 3.11
 * and another from 3.12 on.
 */
export function withoutComprehensions(frames: readonly StackFrame[]): StackFrame[] {
  return frames.map((frame, index) => {
    const { file, function: name } = frame;
    const found = name === null ? null : comprehension.exec(name);
    if (name === null || found === null) return frame;
    // A qualified name contains that of the function.
    if (found.index > 0) return { ...frame, function: name.slice(0, found.index) };
    const caller = frames.slice(index).find((one) => one.file === file && !comprehension.test(one.function ?? ''));
    return { ...frame, function: caller?.function ?? null };
  });
}
