import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { augmentFields } from '../augment/connect.ts';
import { listModels } from '../chat/list-models.ts';
import { registerModels } from '../chat/models.ts';
import { testSettings } from '../panel/test-settings.ts';
import type { RunningServer } from '../server/server-link.ts';
import { tellFolders } from '../server/tell-folders.ts';
import { serverAt, standInLink, TOKEN } from '../stand-in-link.fixture.ts';
import {
  changeWorkspace,
  freshEditor,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  type StandInEditor,
} from '../vscode.fixture.ts';
import { toServerSettings } from './server-settings.ts';
import type { Settings } from './settings-store.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));

const NOTHING: Settings = {
  baseUrl: '',
  model: '',
  temperature: undefined,
  maxTokens: undefined,
  systemPromptBase: '',
  augmentBaseUrl: '',
  searchWithRipgrep: false,
  apiKey: undefined,
  augmentToken: undefined,
};

/** The real server, started with what the items make of its configuration. */
async function serve(settings: Settings): Promise<RunningServer & { output(): string }> {
  const { configuration, environment } = toServerSettings(settings);
  const file = join(tempFolder(), 'dragoman.json');
  writeFileSync(file, JSON.stringify(configuration));
  const running = await serveDragoman(['--config', file], { env: { ...environment, DRAGOMAN_TOKEN: TOKEN } });
  return { ...serverAt(running.url), output: running.output };
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const streamed = (text: string) => ({ body: [chunk({ content: text }), chunk({}, 'stop'), 'data: [DONE]\n\n'] });

const never = new AbortController().signal;

test('BYOK-27 BYOK-85 BYOK-87 with the switch on, a question is answered by ripgrep in the folder that is open in the window', async () => {
  const server = await serve({ ...NOTHING, searchWithRipgrep: true });
  const [shop, notes] = [realpathSync(tempFolder()), realpathSync(tempFolder())];
  writeFileSync(join(shop, 'pay.ts'), 'export function payBill() {}\n');
  const link = standInLink(server);
  editor.folders = [shop];
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const telling = tellFolders({ link, log });
  onTestFinished(() => void telling.dispose());
  const ask = async () => {
    const answer = await fetch(new URL('/agents/codebase-retrieval', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ information_request: 'payBill', blobs: {} }),
    });
    return ((await answer.json()) as { formatted_retrieval: string }).formatted_retrieval;
  };
  const answers = (text: string) => vi.waitFor(async () => expect(await ask()).toBe(text), { timeout: 60_000 });

  await answers('codebase-retrieval (local rg): no folder is open in the editor');
  await link.ready();
  await answers(
    `codebase-retrieval (local rg)\nquery: payBill\nworkspaceRoot: ${shop}\n\n# payBill\npay.ts:1:export function payBill() {}\n`,
  );
  changeWorkspace({ folders: [notes] });
  await answers(`codebase-retrieval (local rg)\nquery: payBill\nworkspaceRoot: ${notes}\n\n# payBill\n(no matches)\n`);
  telling.dispose();
  await answers('codebase-retrieval (local rg): no folder is open in the editor');
});

describe('with an address and a key', () => {
  test('EDITOR-06 EDITOR-12 get-models, chat, completion and edit work with the token in capitals and no account (the Augment extension itself is tried by hand)', async () => {
    const provider = await startFakeProvider();
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: '1' }, finish_reason: 'stop' }] };
    provider.answer(streamed('hello from the model'), { body: JSON.stringify(whole) });
    const server = await serve({
      ...NOTHING,
      baseUrl: `${provider.url}/v1/`,
      model: 'large-1',
      apiKey: 'sk-very-secret',
      temperature: 0.2,
      maxTokens: 77,
      systemPromptBase: 'Say {env:HOME} as it is.',
    });
    const { apiToken, completionURL } = augmentFields(server);
    const call = async (path: string, body: object) => {
      const answer = await fetch(new URL(path, completionURL), {
        method: 'POST',
        headers: { authorization: `Bearer ${apiToken.toUpperCase()}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    };

    expect(await call('get-models', {})).toMatchObject({ status: 200 });
    const chat = await call('chat-stream', { message: 'hello', chat_history: [], model: 'a-name-of-the-client' });
    expect(chat).toMatchObject({ status: 200, text: expect.stringContaining('hello from the model') as string });
    expect(await call('completion', { prompt: 'const a = ', suffix: ';', path: 'a.ts' })).toMatchObject({
      status: 200,
    });
    expect(
      await call('edit', { instruction: 'rename', selected_text: 'const a = 1;', path: 'a.ts', lang: 'typescript' }),
    ).toMatchObject({ status: 200 });

    const asked = provider.requests.map(({ path, headers, body }) => [path, headers.authorization, body['model']]);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    for (const each of asked) expect(each).toEqual(['/v1/chat/completions', 'Bearer sk-very-secret', 'large-1']);
    expect(JSON.stringify(provider.requests[0]!.body)).toContain('Say {env:HOME} as it is.');
    expect(server.output()).not.toContain('sk-very-secret');
  });

  test('“Test” tells the answer, and what the service refuses', async () => {
    const provider = await startFakeProvider();
    const server = await serve(NOTHING);
    const settings = { ...NOTHING, baseUrl: `${provider.url}/v1`, model: 'large-1', apiKey: 'sk-very-secret' };
    provider.answer(streamed('ready'));
    expect(await testSettings(server, settings, never)).toEqual({
      isWell: true,
      text: expect.stringMatching(/large-1 answered in \d+ ms: ready$/) as string,
    });
    provider.answer({ status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-very-secret"}}' });
    const refused = await testSettings(server, settings, never);
    expect([refused.isWell, refused.text.includes('The service rejected the key.')]).toEqual([false, true]);
    expect(refused.text).not.toContain('sk-very-secret');
  });
});

describe('with nothing set', () => {
  test('the offline model is tested, listed and answers in the editor’s chat, with a tool call of the code search', async () => {
    const server = await serve(NOTHING);
    expect(await testSettings(server, NOTHING, never)).toMatchObject({ isWell: true });
    expect((await listModels(server, never)).map(({ id, family }) => [id, family])).toEqual([
      ['default', 'offline'],
      ['offline/offline', 'offline'],
    ]);

    const log = vscode.window.createOutputChannel('Dragoman', { log: true });
    const registered = registerModels({ link: standInLink(server), log, isWanted: () => true });
    onTestFinished(() => registered.dispose());
    const provider = editor.providers.get('dragoman') as vscode.LanguageModelChatProvider;
    const ask = async (tools: vscode.LanguageModelChatTool[]) => {
      const told: unknown[] = [];
      await provider.provideLanguageModelChatResponse(
        { id: 'default' } as vscode.LanguageModelChatInformation,
        [{ role: 1, content: [new LanguageModelTextPart('Where is the bill paid?')], name: undefined }],
        { toolMode: vscode.LanguageModelChatToolMode.Auto, tools },
        { report: (part) => told.push(part) },
        new vscode.CancellationTokenSource().token,
      );
      return told;
    };

    const said = (await ask([])).map((part) => (part as LanguageModelTextPart).value).join('');
    expect(said).toContain("I'm Dragoman's offline model.");
    const name = 'mcp_dragoman_codebase-retrieval';
    expect(await ask([{ name, description: 'Searches code.' }])).toEqual([
      new LanguageModelToolCallPart(expect.any(String) as string, name, {
        information_request: 'Where is the bill paid?',
      }),
    ]);
  });

  test('a server that was started for the editor answers MCP about a folder of the window', async () => {
    const server = await serve(NOTHING);
    const folder = join(realpathSync(tempFolder()), 'my shop');
    mkdirSync(folder);
    writeFileSync(join(folder, 'pay.ts'), '/** Pays the bill. */\nexport function payBill() {}\n');
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-dragoman-workspace': encodeURIComponent(folder),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'codebase-retrieval', arguments: { information_request: 'where is the bill paid' } },
      }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Path: pay.ts')]);
  });
});
