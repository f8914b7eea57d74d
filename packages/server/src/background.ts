import { join } from 'node:path';
import { startExplainer } from './explain/explainer.ts';
import { startCulpritRenewal } from './groups/culprit-renewal.ts';
import { startNotificationDispatcher } from './notify/notification-dispatcher.ts';
import { startMailSender } from './mails/mail-sender.ts';
import { storeClientPackages, earlierPackagesName } from './package-files/earlier-packages.ts';
import { startMapExpiry } from './source-maps/expire-source-maps.ts';
import type { Services } from './services.ts';

/**
 * Copies the client packages of this version next to the log, if the storage is a folder. Returns a function that waits
 * for the copies.
 */
function startStoringPackages({ store, log }: Services): () => Promise<void> {
  const { folder } = store.driver;
  if (folder === undefined) return async () => undefined;
  const done = storeClientPackages(join(folder, earlierPackagesName)).catch((err: unknown) =>
    log.warn({ err }, 'the client packages could not be copied; after an update, apps get 404 for their pinned names'),
  );
  return () => done;
}

/**
 * Starts the background jobs. Those that follow the log continue where an earlier process ended. Returns a function
 * that ends them, and resolves when none is running. Closing the services calls it, too.
 */
export function startBackground(services: Services): () => Promise<void> {
  const explainer = startExplainer(services);
  const dispatcher = startNotificationDispatcher(services);
  const mailSender = startMailSender(services);
  const renewal = startCulpritRenewal(services);
  const endings = [
    () => explainer.stop(),
    () => dispatcher.stop(),
    () => mailSender.stop(),
    () => renewal.stop(),
    startMapExpiry(services),
    startStoringPackages(services),
  ];
  let ended: Promise<void> | null = null;
  const end = (): Promise<void> =>
    (ended ??= Promise.allSettled(endings.map((endOne) => endOne())).then(() => services.testMessageOutcomes.close()));
  services.beforeClose.push(end);
  return end;
}
