import type { Options } from './client.ts';
import { startDefaultClient } from './default-client.ts';
import { createPipeline } from './pipeline.ts';
import { readOptions } from './read-options.ts';

/**
 * Starts to report errors. Call it at the very start of the entry point: earlier errors are lost. Only the first
 * call has an effect, until `close()`. Never throws.
 */
export function init(options: Options): void {
  startDefaultClient(readOptions(options), createPipeline());
}
