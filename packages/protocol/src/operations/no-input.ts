import * as z from 'zod';
import type { RequestBody } from './operation.ts';

/** The body of calls that need none. */
export const NoInput = z.strictObject({});

export const noInput: RequestBody = { type: 'application/json', schema: NoInput, example: {}, optional: true };
