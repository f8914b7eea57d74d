import type { z } from 'zod';
import { getJson } from './lib/http.ts';
import { retry } from './lib/retry.ts';
import { bookingSchema, passengerSchema, voucherSchema } from './schemas.ts';

export type Booking = z.infer<typeof bookingSchema>;

const read: string[] = [];

/** What the server knows of a booking. */
export function readBooking(data: unknown): Booking {
  read.push(typeof data);
  return bookingSchema.parse(data);
}

export function readPassenger(data: unknown): { code: string; birthday: string } {
  return passengerSchema.parse(data);
}

export async function readVoucher(data: unknown): Promise<number> {
  const { percent } = await voucherSchema.parseAsync(data);
  return percent;
}

export function importBooking(data: unknown): Booking {
  const result = bookingSchema.safeParse(data);
  if (!result.success) {
    const paths = result.error.issues.map(({ path }) => path.join('.'));
    throw new Error(`The imported booking is not valid: ${paths.join(', ')}`);
  }
  return result.data;
}

export function loadFares(route: string): Promise<number[]> {
  return retry(3, () => getJson<number[]>(`/api/fail/fares/${route}`));
}

interface Seats {
  rows: { free: number[] }[];
}

export function loadSeats(route: string): Promise<number> {
  return retry(3, async () => {
    const { rows } = await getJson<Seats>(`/api/json/seats/${route}`);
    let sum = 0;
    for (const row of rows.filter(Boolean)) sum += row.free.length;
    return sum;
  });
}
