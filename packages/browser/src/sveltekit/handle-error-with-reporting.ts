import { captureFrameworkError } from '../default-client.ts';

/** The fields of SvelteKit's input of `handleError` that are used here. */
interface ErrorInput {
  error: unknown;
  event: { route?: { id: string | null } };
  status: number;
}

/**
 * Returns the `handleError` hook of `hooks.client.ts`. It reports unexpected errors of `load` functions, of rendering
 * and of navigation, with their route, and then calls `next`, whose result is the error of the page. Without `next`,
 * the error is written to the console, as SvelteKit does. Pages that do not exist (404) are not reported.
 */
export function handleErrorWithReporting<Input extends ErrorInput, Result = void>(
  next: (input: Input) => Result = ({ error }) => console.error(error) as Result,
): (input: Input) => Result {
  return (input) => {
    const { error, event, status } = input;
    if (status !== 404) captureFrameworkError(error, { route: event.route?.id, status });
    return next(input);
  };
}
