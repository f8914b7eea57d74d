// Starts the real server with a first project, and a page with many kinds of errors.
import { fileURLToPath } from 'node:url';
import { createService, readConfig } from '@service/server';
import { openDemoProject } from './demo-project.mjs';
import { explainFailure } from './explain-failure.mjs';
import { greet } from './greet.mjs';
import { createOwnerApi } from './owner-api.mjs';
import { addPages } from './pages.mjs';
import { readShop } from './shop.mjs';

/** @import { Service, Config } from '@service/server' */

const folder = fileURLToPath(new URL('..', import.meta.url));

try {
  await start();
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}

async function start() {
  const shop = readShop(folder);
  const config = await readConfig(
    // An absolute path, so that the data folder does not depend on the working directory.
    process.env.SERVICE_STORAGE ? {} : { storage: `file:${folder}.service-data` },
    process.env,
    folder,
  );
  const service = await createService(config);
  stopOnSignals(service);
  try {
    await open(service, config, shop);
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * @param {Service} service
 * @param {Config} config
 * @param {import('./shop.mjs').Shop} shop
 */
async function open(service, config, shop) {
  const api = createOwnerApi(service, config.adminToken);
  const findProject = await openDemoProject(api, shop);
  addPages(service.app, shop, findProject);
  const { url } = await service.listen();
  await service.acceptCommands();
  greet({
    url,
    signInLink: await service.signInLink(url),
    firstStart: service.firstStart,
    apiKey: (await findProject()).api_key,
  });
}

/**
 * Stops the service in order at the first signal, and immediately at the second.
 * @param {Service} service
 */
function stopOnSignals(service) {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    try {
      await service.close();
      process.exit(0);
    } catch (error) {
      console.error(explainFailure(error));
      process.exit(1);
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
