import { type FakeProvider, startFakeProvider } from '@dragoman/testkit';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { serverAt, standInLink, TOKEN } from '../stand-in-link.fixture.ts';
import {
  freshEditor,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  type StandInEditor,
} from '../vscode.fixture.ts';
import { registerModels } from './models.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));

type Provider = vscode.LanguageModelChatProvider;

/** The provider as the editor has it, before a server that answers as the test says. */
async function openProvider({ isWanted = true } = {}) {
  const server = await startFakeProvider();
  const link = standInLink(serverAt(server.url));
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const registered = registerModels({ link, log, isWanted: () => isWanted });
  onTestFinished(() => registered.dispose());
  return { server, link, provider: editor.providers.get('dragoman') as Provider };
}

const MODEL = { id: 'default' } as vscode.LanguageModelChatInformation;
const { token: NEVER } = new vscode.CancellationTokenSource();

/** Asks, and gathers what is told. */
async function ask(
  provider: Provider,
  options: Partial<vscode.ProvideLanguageModelChatResponseOptions> = {},
  token: vscode.CancellationToken = NEVER,
) {
  const told: unknown[] = [];
  const content = [new LanguageModelTextPart('hello')];
  await provider.provideLanguageModelChatResponse(
    MODEL,
    [{ role: vscode.LanguageModelChatMessageRole.User, content, name: undefined }],
    { toolMode: vscode.LanguageModelChatToolMode.Auto, ...options },
    { report: (part) => told.push(part) },
    token,
  );
  return told;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;

describe('the models of the gateway', () => {
  const LIST = JSON.stringify({
    data: [
      { id: 'default', context_length: 200_000, max_output_tokens: 64_000, input_modalities: ['text', 'image'] },
      { id: 'offline/offline', context_length: 128_000, max_output_tokens: 8_192, input_modalities: ['text'] },
      { id: 'old' },
      { odd: true },
    ],
  });
  /** Both questions come at once, in any order. */
  const answerLists = (server: FakeProvider) => server.answer({ body: LIST });

  test('are the models of the editor, with what each takes', async () => {
    const { server, provider } = await openProvider();
    answerLists(server);

    expect(await provider.provideLanguageModelChatInformation({ silent: false }, NEVER)).toEqual([
      {
        id: 'default',
        name: 'default',
        family: 'default',
        version: '1',
        detail: 'Your own Dragoman server',
        tooltip: 'Your own Dragoman server',
        maxInputTokens: 136_000,
        maxOutputTokens: 64_000,
        capabilities: { toolCalling: true, imageInput: true },
      },
      expect.objectContaining({
        id: 'offline/offline',
        detail: 'Works without a key or a network',
        capabilities: { toolCalling: true, imageInput: false },
      }),
      expect.objectContaining({ id: 'old', maxInputTokens: 119_808, maxOutputTokens: 8_192 }),
    ]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  test('are not asked for while nobody uses the chat, so that no server is started for them', async () => {
    const { provider, link } = await openProvider({ isWanted: false });
    expect(await provider.provideLanguageModelChatInformation({ silent: true }, NEVER)).toEqual([]);
    expect(link.state.kind).toBe('idle');
  });

  test('are none while the server does not start, and the log says why', async () => {
    const { provider, link } = await openProvider();
    link.ready = () => Promise.reject(new Error('Node is too old'));
    expect(await provider.provideLanguageModelChatInformation({ silent: true }, NEVER)).toEqual([]);
    expect(editor.logged).toEqual(['warn The models could not be listed: Node is too old']);
    await expect(provider.provideLanguageModelChatInformation({ silent: false }, NEVER)).rejects.toThrow(
      'Node is too old',
    );
  });

  test('are told anew when the server is there, has moved or was started anew, and only then', async () => {
    const { provider, link } = await openProvider();
    let told = 0;
    provider.onDidChangeLanguageModelChatInformation!(() => (told += 1));
    link.become({ kind: 'starting' });
    link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:1') });
    link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:1') });
    link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:2') });
    expect(told).toBe(2);
    link.become({ kind: 'starting' });
    link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:2') });
    expect(told).toBe(3);
  });
});

describe('an answer', () => {
  test('is streamed, text and tool calls, and the question carries tools and options', async () => {
    const { server, provider } = await openProvider();
    server.answer({
      body: [
        chunk({ content: 'Let me ' }),
        chunk({ content: 'look.' }),
        chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'search', arguments: '{"q":1}' } }] }),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ],
    });

    expect(
      await ask(provider, {
        tools: [
          { name: 'search', description: 'Searches.', inputSchema: { type: 'object', properties: { q: {} } } },
          { name: 'list', description: 'Lists.' },
        ],
        toolMode: vscode.LanguageModelChatToolMode.Required,
        modelOptions: { temperature: 0.5, model: 'other', messages: [] },
      }),
    ).toEqual([
      new LanguageModelTextPart('Let me '),
      new LanguageModelTextPart('look.'),
      new LanguageModelToolCallPart('c1', 'search', { q: 1 }),
    ]);
    const [request] = server.requests;
    expect([request!.path, request!.headers.authorization]).toEqual(['/v1/chat/completions', `Bearer ${TOKEN}`]);
    expect(request!.body).toEqual({
      model: 'default',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      temperature: 0.5,
      tool_choice: 'required',
      tools: [
        {
          type: 'function',
          function: {
            name: 'search',
            description: 'Searches.',
            parameters: { type: 'object', properties: { q: {} } },
          },
        },
        {
          type: 'function',
          function: { name: 'list', description: 'Lists.', parameters: { type: 'object', properties: {} } },
        },
      ],
    });
  });

  test('that is cancelled is called off at the server, before its first byte and after', async () => {
    const { server, provider } = await openProvider();
    const never = new Promise(() => {});
    for (const body of [[never], [chunk({ content: 'a' }), never]]) {
      server.answer({ body });
      const cancelling = new vscode.CancellationTokenSource();
      const outcome = ask(provider, {}, cancelling.token).catch((error: unknown) => error);
      const request = await server.request(server.requests.length + 1);
      cancelling.cancel();
      expect(await outcome).toBeInstanceOf(vscode.CancellationError);
      expect(await request.ended).toBe('left');
    }
  });

  test('that was cancelled before it was asked for is not asked for', async () => {
    const { server, provider } = await openProvider();
    const cancelled = new vscode.CancellationTokenSource();
    cancelled.cancel();
    await expect(ask(provider, {}, cancelled.token)).rejects.toBeInstanceOf(vscode.CancellationError);
    expect(server.requests).toEqual([]);
  });

  test('that fails says why in the words of the server', async () => {
    const { server, provider } = await openProvider();
    server.answer({
      status: 403,
      body: '{"error":{"message":"The key of \\"byok\\" was refused.","code":"forbidden"}}',
    });
    await expect(ask(provider)).rejects.toThrow('The key of "byok" was refused.');
    server.answer({ status: 502, body: '<html>' });
    await expect(ask(provider)).rejects.toThrow(
      'POST /v1/chat/completions was answered with 502 by the proxy before the server, which does not reach the server now.',
    );
  });

  test('of a server that is gone says so', async () => {
    const { provider, link } = await openProvider();
    link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:1') });
    await expect(ask(provider)).rejects.toThrow(/^The server at http:\/\/127\.0\.0\.1:1 cannot be reached: /);
  });
});
