import { readPush, subscribePush, testPush, unsubscribePush } from '../push/push-subscriptions.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

type Names = 'readPush' | 'subscribePush' | 'unsubscribePush' | 'testPush';

/** Browsers that are notified; everyone sees their own. */
export function pushHandlers({ parts }: HubEngine): Pick<HubHandlers, Names> {
  return {
    async readPush(request) {
      const { caller } = readCall('readPush', request);
      return readPush(parts, caller);
    },
    async subscribePush(request) {
      const { caller, body } = readCall('subscribePush', request);
      return subscribePush(parts, caller, body);
    },
    async unsubscribePush(request) {
      const { caller, params } = readCall('unsubscribePush', request);
      await unsubscribePush(parts, caller, params.subscriptionId);
      return {};
    },
    async testPush(request) {
      const { caller, params } = readCall('testPush', request);
      await testPush(parts, caller, params.subscriptionId);
      return {};
    },
  };
}
