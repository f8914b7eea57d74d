import { startExplainer } from './explain/explainer.ts';
import { startCulpritRenewal } from './groups/renew-culprits.ts';
import { startNotificationDispatcher } from './notify/notification-dispatcher.ts';
import { startMailSender } from './mails/mail-sender.ts';
import { startMapExpiry } from './source-maps/expire-source-maps.ts';
import type { Services } from './services.ts';

/** Starts the background jobs. They follow the log and continue where an earlier process ended. */
export function startBackground(services: Services): void {
  const explainer = startExplainer(services);
  const dispatcher = startNotificationDispatcher(services);
  const mailSender = startMailSender(services);
  const renewal = startCulpritRenewal(services);
  services.beforeClose.push(
    () => explainer.stop(),
    () => dispatcher.stop(),
    () => mailSender.stop(),
    () => renewal.stop(),
    startMapExpiry(services),
  );
}
