import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModelCall } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import type { Target } from '../../routing/target.ts';
import { brokenRules, plain } from '../decoder-rules.fixture.ts';
import type { FlowControl } from '../upstream.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { openAiSdkCall } from './upstream.ts';

const call: ModelCall = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] };
const never = new AbortController().signal;

/**
 * A package as a provider's maker would write it; `answer` is the body of a function that gets the call's options and
 * the provider's. What was created is found in `globalThis` under the module's own name.
 */
function thingPackage(answer: string, version = 'v4'): { path: string; created: () => Record<string, unknown>[] } {
  const path = join(tempFolder(), 'thing.mjs');
  writeFileSync(
    path,
    `const created = (globalThis[import.meta.url] = []);
    const streamOf = (...parts) => ({ stream: ReadableStream.from(parts) });
    const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'end' }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 2 } } };
    const text = (delta) => [{ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta }, { type: 'text-end', id: '0' }];
    export const thing = () => { throw new Error('not configured'); };
    export function createAnotherThing() { throw new Error('not a provider'); }
    export function createThing(settings) {
      created.push(settings);
      const answer = async (options, modelId) => { ${answer} };
      return { languageModel: (modelId) => ({
        specificationVersion: '${version}',
        doStream: (options) => answer(options, modelId),
        doGenerate: async (options) => ({ content: [{ type: 'text', text: 'whole ' + modelId }], finishReason: finish.finishReason, usage: finish.usage }),
      }) };
    }`,
  );
  return {
    path,
    created: () => (globalThis as unknown as Record<string, Record<string, unknown>[]>)[pathToFileURL(path).href]!,
  };
}

const thingAt = (path: string, provider: Parameters<typeof testTarget>[0] = {}) =>
  testTarget({ type: 'ai-sdk', package: path, ...provider }, 'thing-1');

async function ask(
  target: Target,
  { isStreamed = true, signal = never, flow }: { isStreamed?: boolean; signal?: AbortSignal; flow?: FlowControl } = {},
): Promise<object[]> {
  const events: object[] = [];
  const accepted = await openAiSdkCall(call, target, isStreamed, signal);
  await accepted.run({ push: (event) => events.push(plain(event)) }, flow);
  expect(brokenRules(events)).toEqual([]);
  return events;
}

const refusal = (target: Target, signal = never) =>
  openAiSdkCall(call, target, true, signal).then(
    () => undefined,
    ({ code, message, isRetryable, retryAfterMs }) => ({ code, message, isRetryable, retryAfterMs }),
  );

describe('finding the package', () => {
  test('a provider is made from its create function, once, with what the configuration says', async () => {
    const { path, created } = thingPackage('return streamOf(...text(modelId), finish);');
    const target = thingAt(path, {
      options: { region: 'eu', apiKey: 'overridden' },
      headers: { 'X-Team': 'blue' },
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'k1',
    });

    expect(await ask(target)).toEqual([
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'thing-1' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'end', usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
    await ask({ ...target, model: 'thing-2' });
    expect(created()).toEqual([
      {
        fetch: boundedFetch,
        region: 'eu',
        apiKey: 'k1',
        baseURL: 'http://127.0.0.1:9/v1',
        headers: { 'X-Team': 'blue' },
      },
    ]);
  });

  test('what is not configured is left to the package, and it may be named by its URL', async () => {
    const { path, created } = thingPackage('return streamOf(finish);');

    await ask(thingAt(pathToFileURL(path).href, { baseUrl: undefined, apiKey: undefined }));

    expect(created()).toEqual([{ fetch: boundedFetch }]);
  });

  test('a provider that is a plain function will do, and a package may have but one create function', async () => {
    const path = join(tempFolder(), 'plain.mjs');
    writeFileSync(
      path,
      "export const createPlain = () => (modelId) => ({ specificationVersion: 'v2', doStream: async () => ({ stream: ReadableStream.from([{ type: 'finish', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }]) }) });",
    );

    expect(await ask(thingAt(path))).toEqual([
      { type: 'finish', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } },
    ]);
  });

  test('a package that is missing is named with the way to install it, and is found once it is there', async () => {
    expect(await refusal(thingAt('@dragoman-test/no-such-package'))).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(
        /^The package @dragoman-test\/no-such-package of provider "test" cannot be loaded: .* Install it beside Dragoman: npm install @dragoman-test\/no-such-package$/s,
      ),
    });

    const path = join(tempFolder(), 'late.mjs');
    const target = thingAt(path);
    expect(await refusal(target)).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/Check the path\.$/),
    });
    copyFileSync(thingPackage('return streamOf(finish);').path, path);
    expect(await ask(target)).toMatchObject([{ type: 'finish' }]);
  });

  test('a module that is no provider package, or speaks an old version, is refused by name', async () => {
    const path = join(tempFolder(), 'other.mjs');
    writeFileSync(path, 'export const created = 1; export const createThing = 2;');

    expect(await refusal(thingAt(path))).toMatchObject({
      code: 'config-invalid',
      message: `The package ${path} of provider "test" exports no create… function; name a provider package of the AI SDK, such as "@ai-sdk/mistral".`,
    });
    expect(await refusal(testTarget({ type: 'ai-sdk' }))).toMatchObject({
      code: 'config-invalid',
      message: 'The provider "test" is of type "ai-sdk" and needs a package, such as "@ai-sdk/mistral".',
    });
    const old = thingPackage('', 'v1').path;
    expect(await refusal(thingAt(old))).toMatchObject({
      code: 'config-invalid',
      message: `The package ${old} of provider "test" speaks version v1 of the AI SDK's specification; v2, v3 or v4 is needed. Update it.`,
    });
  });
});

describe('asking', () => {
  test('an answer that is not streamed comes from doGenerate', async () => {
    expect(await ask(thingAt(thingPackage('').path), { isStreamed: false })).toEqual([
      { type: 'response-metadata' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'whole thing-1' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: 'stop', rawFinishReason: 'end', usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
  });

  test('the model gets the prompt and a signal', async () => {
    const { path } = thingPackage(
      'return streamOf(...text(JSON.stringify(options.prompt) + options.abortSignal.aborted), finish);',
    );

    expect((await ask(thingAt(path)))[1]).toEqual({
      type: 'text-delta',
      id: '0',
      delta: '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]false',
    });
  });

  test('a slow reader holds the model back', async () => {
    const { path } = thingPackage("return streamOf(...text('a'), finish);");
    const order: string[] = [];
    let release = () => {};
    const paused = Promise.withResolvers<void>();
    const flow: FlowControl = {
      afterRead: () => order.push('read') === 2,
      untilReady: () => {
        order.push('paused');
        paused.resolve();
        return new Promise((resolve) => (release = resolve));
      },
    };

    const asked = ask(thingAt(path), { flow });
    await paused.promise;
    expect(order).toEqual(['read', 'read', 'paused']);
    release();
    await asked;
    expect(order).toEqual(['read', 'read', 'paused', 'read', 'read']);
  });
});

describe('what goes wrong', () => {
  const apiError = (fields: string) =>
    `throw Object.assign(new Error('said briefly'), { name: 'AI_APICallError', ${fields} });`;

  test.each([
    [
      'statusCode: 429, responseBody: \'{"error":{"message":"slow down"}}\', responseHeaders: { \'retry-after\': \'7\' }',
      {
        code: 'rate-limited',
        message: 'The provider "test" answered 429: slow down',
        isRetryable: true,
        retryAfterMs: 7000,
      },
    ],
    [
      'statusCode: 400',
      { code: 'bad-request', message: 'The provider "test" answered 400: said briefly', isRetryable: false },
    ],
    [
      'statusCode: 200',
      { code: 'unavailable', message: 'The answer of "test" cannot be read: said briefly', isRetryable: true },
    ],
    [
      "cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })",
      { code: 'unavailable', message: 'The provider "test" cannot be reached: ECONNREFUSED', isRetryable: true },
    ],
    [
      "name: 'AI_LoadAPIKeyError'",
      { code: 'config-invalid', message: 'The provider "test" cannot be used: said briefly', isRetryable: false },
    ],
    [
      "name: 'AI_UnsupportedFunctionalityError'",
      { code: 'bad-request', message: 'The provider "test" cannot be used: said briefly', isRetryable: false },
    ],
  ])('a refusal with %s is told apart', async (fields, expected) => {
    expect(await refusal(thingAt(thingPackage(apiError(fields)).path))).toEqual({
      retryAfterMs: undefined,
      ...expected,
    });
  });

  test('another key is tried when one has reached its limit', async () => {
    const { path, created } = thingPackage(
      `if (settings.apiKey === 'k1') ${apiError('statusCode: 429')} return streamOf(...text(settings.apiKey), finish);`,
    );
    const target = thingAt(path, { apiKey: ['k1', 'k2'] });

    expect((await ask(target))[1]).toEqual({ type: 'text-delta', id: '0', delta: 'k2' });
    expect((await ask(target))[1]).toEqual({ type: 'text-delta', id: '0', delta: 'k2' });
    expect(created().map(({ apiKey }) => apiKey)).toEqual(['k1', 'k2']);
  });

  test('an error in the stream ends the answer, whatever follows', async () => {
    const { path } = thingPackage(
      "return streamOf(...text('half').slice(0, 2), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, { type: 'error', error: 'again' }, finish);",
    );

    expect((await ask(thingAt(path))).slice(2)).toEqual([
      { type: 'text-end', id: '0' },
      { type: 'error', code: 'unavailable', message: 'The provider stopped: Overloaded' },
    ]);
  });

  test('a stream that breaks or stops short is an error', async () => {
    const breaking = thingPackage(
      "return { stream: new ReadableStream({ start: (c) => c.enqueue(text('half')[0]), pull: (c) => c.error(new Error('socket hang up')) }) };",
    );
    const short = thingPackage("return streamOf(text('half')[0]);");

    expect((await ask(thingAt(breaking.path))).at(-1)).toEqual({
      type: 'error',
      code: 'unavailable',
      message: 'The provider "test" cannot be reached: socket hang up',
    });
    expect((await ask(thingAt(short.path))).at(-1)).toEqual({
      type: 'error',
      code: 'unavailable',
      message: "Connection error: the provider's answer was terminated before its end (premature close).",
    });
  });

  test('a caller who leaves ends the call, before the answer and in the middle of it', async () => {
    const deaf = thingAt(thingPackage('return new Promise(() => {});').path);
    const early = new AbortController();
    const refused = refusal(deaf, early.signal);
    early.abort();
    expect(await refused).toMatchObject({ code: 'cancelled', isRetryable: false });

    const { path } = thingPackage(
      "return { stream: new ReadableStream({ start: (controller) => controller.enqueue(text('half')[0]) }) };",
    );
    const late = new AbortController();
    const flow: FlowControl = {
      afterRead: () => {
        late.abort();
        return false;
      },
      untilReady: () => Promise.resolve(),
    };
    expect((await ask(thingAt(path), { signal: late.signal, flow })).slice(1)).toEqual([
      { type: 'text-end', id: '0' },
      { type: 'error', code: 'cancelled', message: 'The call was cancelled.' },
    ]);
  });

  test('a stream that is left is told so', async () => {
    const { path, created } = thingPackage(`return { stream: new ReadableStream({
      start: (controller) => { controller.enqueue({ type: 'error', error: 'enough' }); },
      cancel: () => { created.push({ isAborted: options.abortSignal.aborted }); },
    }) };`);

    await ask(thingAt(path, { apiKey: undefined, baseUrl: undefined }));

    expect(created()).toEqual([{ fetch: boundedFetch }, { isAborted: true }]);
  });

  test('a model that does not begin, or stops in the middle, runs into its limit', async () => {
    const timeouts = { firstByteMs: 1, idleMs: 1 };
    const mute = thingPackage('return new Promise(() => {});').path;
    const stuck = thingPackage(
      "return { stream: new ReadableStream({ start: (controller) => controller.enqueue(text('half')[0]) }) };",
    ).path;

    expect(await refusal(thingAt(mute, { timeouts }))).toMatchObject({
      code: 'timed-out',
      message: 'The provider "test" did not begin to answer in time.',
      isRetryable: true,
    });
    expect((await ask(thingAt(stuck, { timeouts: { idleMs: 1 } }))).slice(1)).toEqual([
      { type: 'text-end', id: '0' },
      { type: 'error', code: 'timed-out', message: 'The provider "test" stopped in the middle of its answer.' },
    ]);
  });
});

describe('what a package could not tell its service', () => {
  const asked: ModelCall = { ...call, topK: 7, seed: 3 };
  const warnings = `[{ type: 'unsupported', feature: 'topK' }, { type: 'unsupported-setting', setting: 'seed' },
    { type: 'unsupported', feature: 'temperature' }, { type: 'compatibility', feature: 'topP' }, { type: 'other' }]`;

  test('is left out, streamed and at once, where the call asked for it', async () => {
    const { path } = thingPackage(
      `return streamOf({ type: 'stream-start', warnings: ${warnings} }, ...text('Hi'), finish);`,
    );
    const streamed = await openAiSdkCall(asked, thingAt(path), true, never);
    expect(streamed.leftOut).toEqual(['topK', 'seed']);
    const events: object[] = [];
    await streamed.run({ push: (event) => events.push(plain(event)) });
    expect(brokenRules(events)).toEqual([]);
    expect(events).toContainEqual({ type: 'text-delta', id: expect.any(String) as string, delta: 'Hi' });

    const plainCall = await openAiSdkCall(call, thingAt(path), true, never);
    expect(plainCall.leftOut).toEqual([]);
    await plainCall.run({ push: () => {} });
  });

  test('a stream whose first part never comes is given up in time', async () => {
    const { path } = thingPackage('return { stream: new ReadableStream({}) };');
    const target = thingAt(path, { timeouts: { firstByteMs: 20 } });
    await expect(openAiSdkCall(asked, target, true, never)).rejects.toMatchObject({ code: 'timed-out' });
  });
});
