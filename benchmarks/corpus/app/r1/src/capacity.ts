export class CapacityError extends Error {
  constructor(wanted: number, free: number) {
    super(`${wanted} wanted, ${free} free`);
    this.name = 'CapacityError';
  }
}

export function takeSeats(free: number, wanted: number): number {
  if (wanted > free) throw new CapacityError(wanted, free);
  return free - wanted;
}

export function takeLanes(free: number, wanted: number): number {
  const left = free - wanted;
  if (left < 0) throw new CapacityError(wanted, free);
  return left;
}
