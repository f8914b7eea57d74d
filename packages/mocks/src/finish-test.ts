import { describeReports } from './matchers/describe-reports.ts';
import { type MockService, reportLogOf } from './mock-service.ts';
import { flushSdk, resetSdk } from './app-sdk.ts';

/**
 * Waits for the reports that the app still sends, and resets SDK and service for the next test. Rejects if the app has
 * sent a report that the test did not check.
 */
export async function finishTest(service: MockService): Promise<void> {
  await flushSdk();
  const failure = await findUnexpected(service);
  await resetSdk();
  await service.reset();
  if (failure) throw failure;
}

/** Waits for all responses. Resolves with an error if the app has sent a report that the test did not check. */
export async function findUnexpected(service: MockService): Promise<Error | null> {
  const log = reportLogOf(service);
  await log.waitForResponses();
  const unexpected = log.unexpected();
  if (unexpected.length === 0) return null;
  return new Error(
    `The app has reported what this test does not expect:\n${describeReports(unexpected)}\n` +
      'Expect it with `await expect(service).toHaveReported(…)`, or call `service.allowReports()`.',
  );
}
