import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchPipedChromium } from '../../test/test-utils/piped-chromium.mjs';
import { temporaryFolder } from '../measure/temporary-folder.mjs';
import { progress } from '../output/progress.mjs';
import { bundle } from './bundle.mjs';
import { control, products, sinkHost } from './products.mjs';
import { openSink } from './sink.mjs';
import { openSite } from './site.mjs';

/**
 * A product, ready to be measured.
 *
 * @typedef {object} Subject
 * @property {string} id
 * @property {string} short
 * @property {string} name
 * @property {import('./sink.mjs').Sink} sink the target of its requests
 * @property {string} code the bundle that only starts it
 * @property {URL} page the page with it
 * @property {string} startUrl the URL of that bundle, for a page without a product
 */

/** @typedef {Awaited<ReturnType<typeof openLab>>} Lab */

/** Creates the site, a browser, and a sink and a bundle for each product. */
export async function openLab() {
  /** @type {Map<string, string>} */
  const scripts = new Map();
  const site = await openSite(scripts);
  /** @type {Subject[]} */
  const subjects = [];
  for (const [at, { id, short, name, start, capture, define, https }] of [control, ...products].entries()) {
    progress(`bundling: ${name}`);
    const sink = await openSink(https ? certificate() : undefined);
    const here = (/** @type {string} */ script) => script.replaceAll(sinkHost, `127.0.0.1:${sink.port}`);
    // By number, because a name would make the reports of one product longer than those of another.
    const number = String(at).padStart(2, '0');
    const code = await bundle(start || 'globalThis.started = true;', { define });
    scripts.set(`start/${number}.js`, here(code));
    scripts.set(`with/${number}.js`, here(await bundle(`${start}\n${capture}`, { define })));
    const page = new URL(`/?with=${number}`, site.url);
    subjects.push({ id, short, name, sink, code, page, startUrl: `/start/${number}.js` });
  }
  const browser = await launchPipedChromium(temporaryFolder());

  return {
    subjects,
    site,
    browser,
    async close() {
      await browser.close();
      await site.close();
      for (const { sink } of subjects) await sink.close();
    },
  };
}

/** @type {{ key: string, cert: string } | undefined} */
let made;

/** A certificate for products that send only over https. The browser is configured to accept it. */
function certificate() {
  if (made) return made;
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sink', '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  );
  made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  return made;
}
