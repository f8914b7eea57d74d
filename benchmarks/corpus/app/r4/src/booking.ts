import type { z } from 'zod';
import { getJson } from './lib/http.ts';
import { measured } from './lib/measured.ts';
import { retry } from './net/retry.ts';
import { bookingSchema, passengerSchema, voucherSchema } from './schemas.ts';

export type Booking = z.infer<typeof bookingSchema>;

const read: string[] = [];

/** What the server knows of a booking. */
export function readBooking(data: unknown): Booking {
  read.push(typeof data);
  return measured('booking', () => bookingSchema.parse(data));
}

export function readPassenger(data: unknown): { code: string; birthday: string } {
  return passengerSchema.parse(data);
}

export async function readVoucher(data: unknown): Promise<number> {
  const voucher = await voucherSchema.parseAsync(data);
  return voucher.percent / 100;
}

export function importBooking(data: unknown): Booking {
  const result = bookingSchema.safeParse(data);
  if (!result.success) {
    const { issues } = result.error;
    const paths = issues.map(({ path }) => path.join('.')).sort();
    throw new Error(`The imported booking is not valid: ${paths.join(', ')}`);
  }
  return result.data;
}

export function loadFares(route: string): Promise<number[]> {
  return retry(3, (turn) => measured(`fares ${turn}`, () => getJson<number[]>(`/api/fail/fares/${route}`)));
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
