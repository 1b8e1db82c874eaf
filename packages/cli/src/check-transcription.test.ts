import { expect, test } from 'vitest';
import { dragomanConfigSchema } from './rooms.ts';

const providers = {
  openai: { type: 'openai-chat' as const, apiKey: 'k' },
  claude: { type: 'anthropic-messages' as const, apiKey: 'k' },
};

function problems(transcription: string): unknown[] | undefined {
  const { error } = dragomanConfigSchema.safeParse({ providers, channels: { transcription } });
  return error?.issues.map(({ path, message }) => ({ path, message }));
}

test('the model that writes voice messages down is one that is there and can do it, or the file is refused', () => {
  const path = ['channels', 'transcription'];

  expect(problems('openai/whisper-1')).toBeUndefined();
  expect(problems('ghost/whisper-1')).toEqual([{ path, message: 'there is no provider named "ghost"' }]);
  expect(problems('claude/whisper-1')).toEqual([
    {
      path,
      message:
        'the provider "claude" has the type "anthropic-messages"; transcription needs a provider of type "openai-chat" or "openai-responses"',
    },
  ]);
});
