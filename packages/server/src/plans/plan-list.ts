import { Plan } from '@service/protocol';
import * as z from 'zod';

const maxPlans = 100;
const shape = 'expected a JSON array of plans: { id, name, price, currency, error_quota, ai_quota }';
/** The error text for each field. */
const expectedFields: Record<keyof Plan, string> = {
  id: 'expected letters, digits, _ and -',
  name: 'expected a name',
  price: 'expected a whole number of minor units, such as cents',
  currency: 'expected three letters, such as EUR',
  error_quota: 'expected a whole number, or null for no limit',
  ai_quota: 'expected a whole number, or null for no limit',
};

/** The setting: plans, or a JSON text with them from an environment variable. */
export const PlanList = z
  .custom<readonly Plan[] | string>((given) => Array.isArray(given) || typeof given === 'string', { error: shape })
  .transform((given, context): Plan[] => {
    const problem = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const list: unknown = typeof given === 'string' ? parseJsonOrNull(given) : given;
    if (!Array.isArray(list)) return problem(shape);
    if (list.length > maxPlans) return problem(`expected at most ${maxPlans} plans`);
    const read = z.array(z.strictObject(Plan.shape)).safeParse(list);
    if (!read.success) return problem(explain(read.error.issues[0]));
    const twice = read.data.findIndex(({ id }, index) => read.data.findIndex((plan) => plan.id === id) < index);
    return twice < 0 ? read.data : problem(`plan ${twice + 1}: id: another plan has the same id`);
  });

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports what was expected.
    return null;
  }
}

function explain(issue: z.core.$ZodIssue | undefined): string {
  const [index, field] = issue?.path ?? [];
  const where = `plan ${Number(index) + 1}`;
  if (issue?.code === 'unrecognized_keys') return `${where}: ${issue.keys[0]}: unknown field`;
  return field === undefined ? shape : `${where}: ${String(field)}: ${expectedFields[field as keyof Plan]}`;
}
