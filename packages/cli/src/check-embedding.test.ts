import { expect, test } from 'vitest';
import { dragomanConfigSchema } from './rooms.ts';

const providers = {
  openai: { type: 'openai-chat' as const, apiKey: 'k' },
  claude: { type: 'anthropic-messages' as const, apiKey: 'k' },
};

function problems(embedding: object): unknown[] | undefined {
  const { error } = dragomanConfigSchema.safeParse({ providers, retrieval: { embedding } });
  return error?.issues.map(({ path, message }) => ({ path, message }));
}

test('the model that makes vectors of code is one that is there and can do it, or the file is refused', () => {
  const path = ['retrieval', 'embedding', 'model'];

  expect(problems({ model: 'openai/text-embedding-3-small', dimensions: 512 })).toBeUndefined();
  expect(problems({ model: 'ghost/embed' })).toEqual([{ path, message: 'there is no provider named "ghost"' }]);
  expect(problems({ model: 'claude/embed' })).toEqual([
    {
      path,
      message:
        'the provider "claude" has the type "anthropic-messages"; embeddings need a provider of type "openai-chat", "openai-responses" or "ollama"',
    },
  ]);
  expect(problems({ model: 'offline/offline' })).toEqual([
    {
      path,
      message: 'the offline model cannot create embeddings; without a setting, the built-in vectors work offline',
    },
  ]);
});

test('what is not a model or not a number of numbers is refused', () => {
  const path = ['retrieval', 'embedding', 'model'];
  for (const model of ['text-embedding-3-small', 'default', '', 'openai/', '/e'])
    expect(problems({ model })).toEqual([
      { path, message: 'expected "provider/model", such as "openai/text-embedding-3-small"' },
    ]);
  expect(problems({ model: 'openai/e', dimensions: 0 })).toMatchObject([
    { path: ['retrieval', 'embedding', 'dimensions'] },
  ]);
  expect(problems({ model: 'openai/e', dimension: 3 })).toMatchObject([{ path: ['retrieval', 'embedding'] }]);
});
