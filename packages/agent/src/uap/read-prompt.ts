import type { BackendPrompt } from '@dragoman/protocol';
import { expandTypedCommand } from '../mcp/typed-command.ts';
import type { Prompt } from '../session/admit-prompt.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { decodePromptBlocks } from './decode-prompt-blocks.ts';

/**
 * A prompt of the hub as one for the session, with what a command stands for in its place. Its message is called as the
 * prompt is, so that the hub can name it later, to fork there; unless the session has had one of that name before.
 */
export async function readPrompt(
  { id, content }: BackendPrompt,
  { state }: SessionRunner,
  { mcp }: Workplace,
  signal: AbortSignal,
): Promise<Prompt> {
  const read = await expandTypedCommand(decodePromptBlocks(content, state.info), mcp, signal);
  const isKnown = state.messages.some(({ info }) => info.id === id);
  return isKnown ? read : { ...read, messageID: id };
}
