import * as z from 'zod';

export const bookingSchema = z.object({
  code: z.string(),
  seats: z.number().int(),
  contact: z.object({ mail: z.string().email() }),
});

export const passengerSchema = z.object({
  code: z.string(),
  birthday: z.string(),
});

export const voucherSchema = z
  .object({ code: z.string(), percent: z.number() })
  .refine(async ({ percent }) => percent <= 100, { message: 'A voucher takes off 100 percent at most' });
