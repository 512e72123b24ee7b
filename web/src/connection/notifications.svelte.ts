/**
 * Notifications on this device when it's our turn: whether they are possible, and turning them on
 * and off.
 */

import { basePath } from '../lib/navigation';
import { translations } from '../lib/i18n.svelte';
import { storage } from '../lib/storage';
import type { NewSubscriptionBody, NotificationKey } from '../lib/wire';
import { call } from './api';
import { NOTIFICATIONS_CONFIRMED_KEY, ensureCookie } from './device-cookie';

/** "blocked" is set in the browser, where only its user can change it. */
export type NotificationState = 'unknown' | 'impossible' | 'blocked' | 'off' | 'on';

/** The server forgets subscriptions that aren't confirmed for a year. */
const CONFIRM_AFTER_MS = 86_400_000;

const DECLINED_KEY = 'notifications.declined';
/** Whether this browser is to be notified. */
const WANTED_KEY = 'notifications.wanted';

const isWanted = (): boolean => storage.get(WANTED_KEY, false);

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

class Notifications {
  state: NotificationState = $state('unknown');
  /** Whether the server can notify anybody, on any device. */
  isOffered = $state(false);
  #declined = $state(storage.get(DECLINED_KEY, false));
  #loaded: Promise<void> | null = null;
  #key: string | null = null;

  /** Whether to suggest them: not to someone who has said no. */
  get maySuggest(): boolean {
    return this.state === 'off' && !this.#declined;
  }

  /** Load the state, once. */
  loadState(): Promise<void> {
    this.#loaded ??= this.#fetchState();
    return this.#loaded;
  }

  async #fetchState(): Promise<void> {
    try {
      ({ key: this.#key } = await call<NotificationKey>('GET', '/notifications'));
      this.isOffered = this.#key !== null;
      this.state = await this.#findState();
    } catch {
      this.#loaded = null;
    }
  }

  async #findState(): Promise<NotificationState> {
    if (!this.#key || !isSupported()) return 'impossible';
    if (Notification.permission === 'denied') return 'blocked';
    const registration = await navigator.serviceWorker.getRegistration(`${basePath}/`);
    const subscription = await registration?.pushManager.getSubscription();
    return subscription && isWanted() ? 'on' : 'off';
  }

  /** Ask for permission, and send the subscription to the server. Throws if the server refuses. */
  async turnOn(): Promise<void> {
    await this.loadState();
    if (!this.#key || (await Notification.requestPermission()) !== 'granted') {
      this.state = await this.#findState();
      return;
    }
    await navigator.serviceWorker.register(`${basePath}/sw.js`, { updateViaCache: 'none' });
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: this.#key,
    });
    await ensureCookie();
    await call('PUT', '/notifications', subscriptionBody(subscription));
    storage.set(WANTED_KEY, true);
    storage.set(NOTIFICATIONS_CONFIRMED_KEY, Date.now());
    this.state = 'on';
  }

  async turnOff(): Promise<void> {
    if (!isWanted()) return;
    storage.set(WANTED_KEY, false);
    this.decline();
    this.state = 'off';
    const registration = await navigator.serviceWorker.getRegistration(`${basePath}/`);
    const subscription = await registration?.pushManager.getSubscription();
    if (!subscription) return;
    await subscription.unsubscribe();
    await call('POST', '/notifications/end', { endpoint: subscription.endpoint });
  }

  /** Never suggest them again. */
  decline(): void {
    this.#declined = true;
    storage.set(DECLINED_KEY, true);
  }

  /** Confirm the subscription with the server, once a day or after the token has changed. */
  async confirmIfDue(): Promise<void> {
    const isDue = Date.now() - storage.get(NOTIFICATIONS_CONFIRMED_KEY, 0) > CONFIRM_AFTER_MS;
    if (!isDue || !isWanted() || !isSupported()) return;
    // A person who has withdrawn the permission isn't asked again.
    if (Notification.permission === 'granted') await this.turnOn();
  }
}

function subscriptionBody(subscription: PushSubscription): NewSubscriptionBody {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint!,
    p256dh: keys!['p256dh']!,
    auth: keys!['auth']!,
    language: translations.language,
  };
}

export const notifications = new Notifications();
