import { measured } from './lib/measured.ts';

export class CapacityError extends Error {
  constructor(wanted: number, free: number) {
    super(`${wanted} wanted, ${free} free`);
    this.name = 'CapacityError';
  }
}

export function takeSeats(free: number, wanted: number): number {
  return measured('seats', () => {
    if (wanted > free) throw new CapacityError(wanted, free);
    return free - wanted;
  });
}

export function takeLanes(free: number, wanted: number): number {
  const left = free - wanted;
  if (left < 0) throw new CapacityError(wanted, free);
  return left;
}
