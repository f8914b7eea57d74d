import * as z from 'zod';
import type { RequestBody } from './operation.ts';

/** The body of operations that take no input. */
export const NoInput = z.strictObject({});

export const noInput: RequestBody = { type: 'application/json', schema: NoInput, example: {}, optional: true };
