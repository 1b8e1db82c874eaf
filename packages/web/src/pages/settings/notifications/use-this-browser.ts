import type { PushSubscriptionInfo } from '@dragoman/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { useLanguage } from '../../../words/language.ts';
import { browserName } from './browser-name.ts';
import { subscribeBrowser, unsubscribeBrowser } from './browser-push.ts';
import { notificationsWords } from './notifications-words.ts';

/** What a browser is notified of. */
export type About = PushSubscriptionInfo['about'];

const KEY = 'push.subscription';

/** The subscription of this browser: which of the list it is, how it is begun, changed and ended. */
export function useThisBrowser(publicKey: string | undefined) {
  const words = notificationsWords.use();
  const language = useLanguage();
  const cache = useQueryClient();
  const [id, setId] = useState(() => localStorage.getItem(KEY) ?? undefined);
  const onSettled = () => cache.invalidateQueries({ queryKey: ['readPush'] });
  const subscribe = useMutation({
    async mutationFn(about: About) {
      const address = await subscribeBrowser(publicKey ?? '');
      const { browser, system } = browserName(navigator.userAgent);
      return client.subscribePush({ ...address, name: words.browser(browser, system), about, language });
    },
    onSuccess(subscription) {
      localStorage.setItem(KEY, subscription.id);
      setId(subscription.id);
    },
    onSettled,
  });
  const unsubscribe = useMutation({
    async mutationFn(subscriptionId: string) {
      await client.unsubscribePush({ subscriptionId });
      if (subscriptionId !== id) return;
      localStorage.removeItem(KEY);
      setId(undefined);
      await unsubscribeBrowser();
    },
    onSettled,
  });
  return { id, subscribe, unsubscribe };
}
