import { mount } from 'svelte';
import { finishLoggingOutOtherDevices, renewCookie } from '../connection/device-cookie';
import { translations } from '../lib/i18n.svelte';
import { settings } from '../lib/settings.svelte';
import { storage } from '../lib/storage';
import App from './App.svelte';
import { loadPage } from './pages';
import { router } from './router.svelte';
import { installServiceWorker } from './register-service-worker';
import './tokens.css';
import './base.css';

/** Loaded only for those who have turned notifications on. */
async function confirmNotifications(): Promise<void> {
  if (!storage.get('notifications.wanted', false)) return;
  const { notifications } = await import('../connection/notifications.svelte');
  await notifications.confirmIfDue();
}

const target = document.getElementById('app')!;

settings.applyToDocument();
// App asks for the page again, and handles the error if it can't be loaded.
loadPage(router.route).catch(() => undefined);
try {
  await translations.load(settings.chosen.language);
  mount(App, { target });
  installServiceWorker();
  // If this fails, the page tries again when it's opened next.
  renewCookie()
    .then(finishLoggingOutOtherDevices)
    .then(confirmNotifications)
    .catch(() => undefined);
} catch {
  // Without texts there are no words in the visitor's language to say so.
  target.textContent = 'Pytlik could not be loaded. Please check your connection and reload.';
}
