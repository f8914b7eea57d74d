import { rawFrames } from '../../src/stack/raw-frames.ts';
import { parseStack } from '../../src/stack/parse-stack.ts';
import type { FingerprintInput } from '../../src/fingerprint/fingerprint-input.ts';
import { fingerprint, type Fingerprint } from '../../src/fingerprint/fingerprint.ts';
import type { GroupedFrame } from '../../src/fingerprint/grouped-frame.ts';

export const page = 'https://shop.example/checkout/4711?ref=a1b2';

/** Returns a resolved frame, by default in `Cart.total` of `src/cart.ts`. */
export function sourceFrame(given: { code?: string[]; line?: number } & Partial<GroupedFrame> = {}): GroupedFrame {
  const { code = ['const sum = item.product.price;'], line = 20, ...rest } = given;
  // The frame's line is the last of the code.
  const context = code.map((text, index) => ({ line: line - code.length + 1 + index, text }));
  const raw = { function: 'nn', file: 'https://shop.example/assets/index-46KHIFEC.js', line: 1, column: 21_643 };
  const frame = { function: 'Cart.total', named: true, file: '../../src/cart.ts', in_app: true, resolved: true };
  return { ...frame, line, column: 5, context, raw, ...rest };
}

/** Returns the fingerprint of an error thrown in `Cart.total`. */
export function fingerprintOf(given: Partial<FingerprintInput> = {}): Fingerprint {
  return fingerprint({
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'price')",
    frames: [sourceFrame()],
    causes: [],
    url: page,
    ...given,
  });
}

/** Returns the fingerprint of a trace without source maps. */
export function fingerprintOfStack(stacktrace: string, given: Partial<FingerprintInput> = {}): Fingerprint {
  const { type, message, frames, causes } = parseStack(stacktrace);
  return fingerprint({
    type,
    message: message ?? '',
    frames: rawFrames(frames, page),
    causes: causes.map((cause) => ({ ...cause, frames: rawFrames(cause.frames, page) })),
    url: page,
    ...given,
  });
}
