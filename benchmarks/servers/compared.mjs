import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './start.mjs';

const spotlightMain = fileURLToPath(import.meta.resolve('@spotlightjs/spotlight'));

/** @param {readonly string[]} wrapper */
export function startBareH3(wrapper) {
  return start(join(import.meta.dirname, 'bare-h3.mjs'), { wrapper });
}

/**
 * Starts Spotlight's sidecar without its page and without its own tracing.
 *
 * @param {readonly string[]} wrapper
 */
export function startSpotlightSidecar(wrapper) {
  return start(join(import.meta.dirname, 'spotlight-sidecar.mjs'), { wrapper });
}

/**
 * Starts Spotlight as users do: `spotlight server`.
 *
 * @param {readonly string[]} wrapper
 */
export function startSpotlight(wrapper) {
  return start(join(spotlightMain, '../../run.js'), {
    args: ['server', '--port', '0'],
    // It traces itself and sends the traces to its vendor. Here that fails at once: no data leaves the machine, and
    // Spotlight saves the work of sending.
    env: { https_proxy: 'http://127.0.0.1:9', no_proxy: '' },
    wrapper,
  });
}
