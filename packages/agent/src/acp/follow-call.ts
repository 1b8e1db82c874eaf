import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ToolPart } from '@dragoman/protocol';
import type { SessionRunner } from '../session/session-runner.ts';
import { clientTalents } from './client-talents.ts';
import { encodeUpdates } from './encode-updates.ts';

/** Shows one call of a subagent, under the name of the agent, from now until it ends. */
export function followCall(
  runner: SessionRunner,
  { id: partID, messageID }: ToolPart,
  write: (update: SessionUpdate) => void,
): void {
  const named = (update: SessionUpdate): SessionUpdate =>
    'title' in update && typeof update.title === 'string'
      ? { ...update, title: `${runner.state.info.agent}: ${update.title}` }
      : update;
  const encoder = encodeUpdates(
    { client: clientTalents(undefined), contextTokens: () => 0, isOwnPrompt: () => true },
    (update) => write(named(update)),
  );
  encoder.push({ type: 'tool-metadata', messageID, partID }, runner.state);
  const unsubscribe = runner.subscribe({
    event({ event }, state) {
      if (!('partID' in event) || event.partID !== partID) return;
      encoder.push(event, state);
      if (event.type === 'tool-result') unsubscribe();
    },
  });
}
