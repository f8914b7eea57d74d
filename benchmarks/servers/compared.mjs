import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './start.mjs';

const spotlightMain = fileURLToPath(import.meta.resolve('@spotlightjs/spotlight'));

/** @param {readonly string[]} wrapper */
export function startBareH3(wrapper) {
  return start(join(import.meta.dirname, 'bare-h3.mjs'), { wrapper });
}

/**
 * Spotlight's sidecar without its page and without what traces it.
 *
 * @param {readonly string[]} wrapper
 */
export function startSpotlightSidecar(wrapper) {
  return start(join(import.meta.dirname, 'spotlight-sidecar.mjs'), { wrapper });
}

/**
 * Spotlight as its users start it: `spotlight server`.
 *
 * @param {readonly string[]} wrapper
 */
export function startSpotlight(wrapper) {
  return start(join(spotlightMain, '../../run.js'), {
    args: ['server', '--port', '0'],
    // It traces itself and sends that to its makers: here it finds nobody at once. Nothing leaves the machine, and it
    // saves Spotlight the work of sending.
    env: { https_proxy: 'http://127.0.0.1:9', no_proxy: '' },
    wrapper,
  });
}
