import type { Action } from '../lib/action.ts';
import { guarded, range, timed } from '../lib/decorators.ts';
import { ToolError } from '../lib/errors.ts';
import { show } from '../lib/show.ts';
import { calculate, compile } from '../lib/template.ts';
import { amount, word } from '../lib/values.ts';

class Till {
  @guarded('owner')
  close(): void {
    show('closed');
  }

  @guarded('owner')
  refund(sum: number): void {
    show(sum);
  }

  @timed
  count(drawer: { coins?: number[] }): void {
    show(drawer.coins!.length);
  }

  @timed
  weigh(drawer: { coins?: number[] }): void {
    const { coins } = drawer;
    show(coins!.length);
  }
}

class Wheel {
  @range(12, 29) declare size: number;
  @range(16, 36) declare spokes: number;
}

export function measureWheel(wheel: Wheel): void {
  wheel.size = 40 + amount();
}

export function lace(wheel: Wheel): void {
  wheel.spokes = 40 + amount();
}

export function lend(tool: string, isLent: boolean): void {
  if (isLent) throw new ToolError(`The tool ${tool} is lent`);
  throw new ToolError(`The tool ${tool} is broken`);
}

const labels = compile('Frame {{bike.frame}}');
const tags = compile('Owner {{owner.phone}}');

export function printLabel(): void {
  show(labels({ bike: undefined }));
}

export function printTag(): void {
  show(tags({}));
}

export function priceOf(): number {
  return calculate('rates.night.hour * 2', {}) + 1;
}

export function freezeDefaults(): void {
  const defaults = Object.freeze({ torque: 12 }) as { torque: number };
  defaults.torque = amount();
}

export function copyTool(): void {
  show(structuredClone({ name: word(), use: () => 1 }));
}

const till = new Till();

export const tools: Action[] = [
  ['till-close', () => till.close()],
  ['till-refund', () => till.refund(amount())],
  ['till-count', () => till.count({})],
  ['till-weigh', () => till.weigh({})],
  ['wheel-size', () => measureWheel(new Wheel())],
  ['wheel-spokes', () => lace(new Wheel())],
  ['tool-lent', () => lend(word(), true)],
  ['tool-broken', () => lend(word(), false)],
  ['label-frame', () => printLabel()],
  ['tag-owner', () => printTag()],
  ['price-night', () => show(priceOf())],
  ['defaults-frozen', () => freezeDefaults()],
  ['tool-copy', () => copyTool()],
];
