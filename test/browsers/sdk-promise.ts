import type { TestContext } from './test-context.ts';

/** A row of the table: a promise of the SDK, and the test cases that every engine must pass. */
export interface SdkPromise {
  promise: string;
  cases: Record<string, (context: TestContext) => Promise<void>>;
}
