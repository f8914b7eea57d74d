import { close } from './default-client.ts';
import { pageState } from './page-state.ts';

/**
 * Ends the client of the page, and lets a later `init()` send again after a 401 or a 429, which otherwise lasts until
 * the page is reloaded. Call it after each test.
 */
export async function resetServiceSDK(): Promise<void> {
  await close(0);
  pageState().stopped.clear();
}
