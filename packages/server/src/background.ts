import { startExplainer } from './explain/explainer.ts';
import { startCulpritRenewal } from './groups/renew-culprits.ts';
import { startNotificationDispatcher } from './notify/notification-dispatcher.ts';
import type { Services } from './services.ts';

/** Starts background work. It follows the log and continues where an earlier process ended. */
export function startBackground(services: Services): void {
  const explainer = startExplainer(services);
  const dispatcher = startNotificationDispatcher(services);
  const renewal = startCulpritRenewal(services);
  services.beforeClose.push(
    () => explainer.stop(),
    () => dispatcher.stop(),
    () => renewal.stop(),
  );
}
