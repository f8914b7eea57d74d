import { startExplainer } from './explain/explainer.ts';
import { startCulpritRenewal } from './groups/renew-culprits.ts';
import { startNotificationDispatcher } from './notify/notification-dispatcher.ts';
import type { Services } from './services.ts';

/** Starts what works beside the requests: it follows the log, and goes on where an earlier process ended. */
export function startBackground(services: Services): void {
  const explainer = startExplainer(services);
  const messenger = startNotificationDispatcher(services);
  const renewal = startCulpritRenewal(services);
  services.beforeClose.push(
    () => explainer.stop(),
    () => messenger.stop(),
    () => renewal.stop(),
  );
}
