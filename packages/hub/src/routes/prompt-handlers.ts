import { cancelTurn } from '../inbox/cancel-turn.ts';
import { sendPrompt } from '../inbox/send-prompt.ts';
import { withdrawPrompt } from '../inbox/withdraw-prompt.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

/** What people say to an agent. */
export function promptHandlers({
  parts,
}: HubEngine): Pick<HubHandlers, 'sendPrompt' | 'withdrawPrompt' | 'cancelTurn'> {
  return {
    async sendPrompt(request) {
      const { caller, params, body } = readCall('sendPrompt', request);
      return sendPrompt(parts, caller, params.sessionId, body);
    },
    async withdrawPrompt(request) {
      const { caller, params } = readCall('withdrawPrompt', request);
      await withdrawPrompt(parts, caller, params);
      return {};
    },
    async cancelTurn(request) {
      const { caller, params } = readCall('cancelTurn', request);
      return cancelTurn(parts, caller, params.sessionId);
    },
  };
}
