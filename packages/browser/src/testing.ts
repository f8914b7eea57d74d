import { close } from './default-client.ts';
import { pageState } from './page-state.ts';

/**
 * Ends the client of the page and clears the stop after a 401 or a 429, so that a later `init()` sends again. Without
 * this call, the stop lasts until the page is reloaded. Call it after each test.
 */
export async function resetServiceSDK(): Promise<void> {
  await close(0);
  pageState().stopped.clear();
}
