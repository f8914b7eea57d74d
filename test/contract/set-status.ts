import type { Json } from './api-call.ts';
import type { TestContext } from './context.ts';

/** Sets the status of a group as the operator's owner, and returns the group. */
export async function setStatus(context: TestContext, group: number, status: string): Promise<Json> {
  return context.send(200, 'PATCH', `errors/${group}/status`, { body: { status } });
}
