/** Notifications on this device when it's our turn: whether it can have them, and switching them. */

import { base } from '../lib/navigation';
import { words } from '../lib/i18n.svelte';
import { storage } from '../lib/storage';
import type { NewSubscriptionBody, NotificationKey } from '../lib/wire';
import { call } from './api';
import { CONFIRMED_KEY, ensureCookie } from './devices';

/** "blocked" is what a person has told their browser, and only they can change it there. */
export type NotificationState = 'unknown' | 'impossible' | 'blocked' | 'off' | 'on';

/** The server forgets what isn't confirmed for a year. */
const CONFIRM_AFTER_MS = 86_400_000;

const DECLINED_KEY = 'notifications.declined';
/** Whether this browser is to be notified. */
const WANTED_KEY = 'notifications.wanted';

const isWanted = (): boolean => storage.get(WANTED_KEY, false);

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

class Notifications {
  state: NotificationState = $state('unknown');
  /** Whether the server can notify anybody, on whatever device. */
  isOffered = $state(false);
  #declined = $state(storage.get(DECLINED_KEY, false));
  #checked: Promise<void> | null = null;
  #key: string | null = null;

  /** Whether to suggest them: not to someone who has said no. */
  get maySuggest(): boolean {
    return this.state === 'off' && !this.#declined;
  }

  /** Find out how things are, once. */
  check(): Promise<void> {
    this.#checked ??= this.#check();
    return this.#checked;
  }

  async #check(): Promise<void> {
    try {
      ({ key: this.#key } = await call<NotificationKey>('GET', '/notifications'));
      this.isOffered = this.#key !== null;
      this.state = await this.#find();
    } catch {
      this.#checked = null;
    }
  }

  async #find(): Promise<NotificationState> {
    if (!this.#key || !isSupported()) return 'impossible';
    if (Notification.permission === 'denied') return 'blocked';
    const registration = await navigator.serviceWorker.getRegistration(`${base}/`);
    const subscription = await registration?.pushManager.getSubscription();
    return subscription && isWanted() ? 'on' : 'off';
  }

  /** Ask the browser, which asks its person, and tell the server. Throws what the server refuses. */
  async turnOn(): Promise<void> {
    await this.check();
    if (!this.#key || (await Notification.requestPermission()) !== 'granted') {
      this.state = await this.#find();
      return;
    }
    await navigator.serviceWorker.register(`${base}/sw.js`, { updateViaCache: 'none' });
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: this.#key,
    });
    await ensureCookie();
    await call('PUT', '/notifications', describe(subscription));
    storage.set(WANTED_KEY, true);
    storage.set(CONFIRMED_KEY, Date.now());
    this.state = 'on';
  }

  async turnOff(): Promise<void> {
    if (!isWanted()) return;
    storage.set(WANTED_KEY, false);
    this.decline();
    this.state = 'off';
    const registration = await navigator.serviceWorker.getRegistration(`${base}/`);
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

  /** Tell the server once a day, or when it has forgotten, that this device still wants them. */
  async confirm(): Promise<void> {
    const isDue = Date.now() - storage.get(CONFIRMED_KEY, 0) > CONFIRM_AFTER_MS;
    if (!isDue || !isWanted() || !isSupported()) return;
    // A person who has withdrawn the permission isn't asked again.
    if (Notification.permission === 'granted') await this.turnOn();
  }
}

function describe(subscription: PushSubscription): NewSubscriptionBody {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint!,
    p256dh: keys!['p256dh']!,
    auth: keys!['auth']!,
    language: words.language,
  };
}

export const notifications = new Notifications();
