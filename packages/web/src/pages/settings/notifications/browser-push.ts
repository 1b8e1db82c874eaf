import { keepPageSecret, pageSecret } from '../../../api/page-secret.ts';

/** Whether this browser can be notified, and if not, why. */
export type PushSupport = 'possible' | 'insecure' | 'unsupported' | 'denied';

/** Where this browser is reached, as the server wants to know it. */
export interface PushAddress {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Why a browser was not subscribed. */
export class NotAllowed extends Error {}

/** Whether this browser can be notified. */
export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
}

/**
 * Subscribes this browser: asks the person, installs the worker that shows notifications, and asks the browser's push service
 * for an address. Nothing of this happens before a person turns notifications on.
 */
export async function subscribeBrowser(publicKey: string): Promise<PushAddress> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotAllowed();
  await navigator.serviceWorker.register('/service-worker.js');
  await keepPageSecret(pageSecret()); // The worker answers approvals with it.
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // A subscription that was made with another key cannot be used with this one.
  if (before !== null && keyOf(before) !== publicKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { keys } = subscription.toJSON();
  return { endpoint: subscription.endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}

/** Ends the subscription of this browser, and the worker with it. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await registration?.unregister();
}

function keyOf({ options }: PushSubscription): string {
  const key = options.applicationServerKey;
  if (key === null) return '';
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
