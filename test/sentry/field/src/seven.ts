import * as Sentry from 'sentry-browser-7';
import { checkout } from './cart';

Sentry.init({ dsn: new URLSearchParams(location.search).get('dsn')!, release: 'seven@1.0.0' });
Object.assign(window, { Sentry });
document.getElementById('throw')!.addEventListener('click', () => void checkout({}));
document.getElementById('string')!.addEventListener('click', () => void Sentry.captureException('a text'));
