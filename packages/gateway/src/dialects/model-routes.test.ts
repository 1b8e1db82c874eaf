import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openTestGateway, type TestGateway } from '../gateway.fixture.ts';

const MODELS = ['plain', 'meta/llama 3:8b', 'ü%2F%', '__proto__'];

function openWithModels(): Promise<TestGateway> {
  return openTestGateway({
    providers: { fake: { type: 'openai-chat', models: MODELS, limits: { plain: { context: 5000, output: 700 } } } },
    routes: { fast: ['fake/plain'], 'team/best': ['fake/meta/llama 3:8b'] },
  });
}

const openAi = ({ url, tokenOf }: TestGateway) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.viewer, maxRetries: 0 });
const anthropic = ({ url, tokenOf }: TestGateway) =>
  new Anthropic({ baseURL: url, apiKey: tokenOf.viewer, maxRetries: 0 });

test('one model is told to the clients of OpenAI and Anthropic by its name, its route or its provider', async () => {
  const gateway = await openWithModels();

  expect(await openAi(gateway).models.retrieve('fast')).toEqual({
    id: 'fast',
    object: 'model',
    type: 'model',
    display_name: 'fast',
    created: 0,
    created_at: '1970-01-01T00:00:00Z',
    owned_by: 'dragoman',
    context_length: 5000,
    max_output_tokens: 700,
    input_modalities: ['text', 'image'],
  });
  for (const id of ['fast', 'team/best', ...MODELS, ...MODELS.map((model) => `fake/${model}`)]) {
    expect(await openAi(gateway).models.retrieve(id)).toMatchObject({ id, object: 'model' });
    expect(await anthropic(gateway).models.retrieve(id)).toMatchObject({ id, type: 'model', display_name: id });
  }
  expect((await gateway.call('/v1/models/fake/meta/llama%203:8b')).body).toMatchObject({ id: 'fake/meta/llama 3:8b' });
  expect((await gateway.call('/gateway/v1/models/team/best')).body).toMatchObject({ id: 'team/best' });
});

test('every model of the list can be asked for by its id', async () => {
  const gateway = await openWithModels();
  const client = openAi(gateway);

  for (const model of (await client.models.list()).data) expect(await client.models.retrieve(model.id)).toEqual(model);
});

test('a model that is not there, and a token that is wrong, are told in the words of the client', async () => {
  const gateway = await openWithModels();
  const message =
    'There is no model named "gone/model". Available models: fast, team/best, offline/offline, fake/plain, fake/meta/llama 3:8b, fake/ü%2F%, fake/__proto__.';

  await expect(openAi(gateway).models.retrieve('gone/model')).rejects.toMatchObject({
    status: 404,
    type: 'invalid_request_error',
    error: { message },
  });
  await expect(anthropic(gateway).models.retrieve('gone/model')).rejects.toMatchObject({
    status: 404,
    type: 'not_found_error',
    error: { type: 'error', error: { message } },
  });
  const stranger = new Anthropic({ baseURL: gateway.url, apiKey: 'wrong', maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, type: 'authentication_error' });
  expect(await gateway.call('/v1/models/')).toMatchObject({
    status: 404,
    body: { error: { message: 'The model name is missing after /models/.' } },
  });
});

test('a server that passes any name on knows every model', async () => {
  const gateway = await openTestGateway({ providers: { fake: { type: 'openai-chat', models: ['*'] } } });

  expect(await openAi(gateway).models.retrieve('gpt-5')).toMatchObject({ id: 'gpt-5', context_length: 400_000 });
});
