import { tempFolder } from '@dragoman/testkit';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { standInLink, TOKEN } from '../stand-in-link.fixture.ts';
import { freshEditor, standInContext, type StandInEditor } from '../vscode.fixture.ts';
import { registerTools } from './tools.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));

type Provider = vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>;
const { token: NEVER } = new vscode.CancellationTokenSource();

function open(link = standInLink()) {
  const registered = registerTools({ link, context: standInContext(tempFolder()) });
  onTestFinished(() => registered.dispose());
  return { link, provider: editor.providers.get('dragoman.context') as Provider };
}

test('the editor keeps what it is offered, so it holds no token, and no server is started for it', async () => {
  editor.folders = ['/work/shop'];
  const { link, provider } = open();
  const [offered] = (await provider.provideMcpServerDefinitions(NEVER))!;

  expect([offered!.label, String(offered!.uri), offered!.headers]).toEqual(['Dragoman', 'http://127.0.0.1/mcp', {}]);
  expect(link.state.kind).toBe('idle');
});

test('when it is started, it has the address, the token and the folders of the window', async () => {
  editor.folders = ['/work/shop', '/work/a, b'];
  const { provider } = open();
  const [offered] = (await provider.provideMcpServerDefinitions(NEVER))!;
  const started = (await provider.resolveMcpServerDefinition!(offered!, NEVER))!;

  expect([String(started.uri), started.headers]).toEqual([
    'http://127.0.0.1:4800/mcp',
    { authorization: `Bearer ${TOKEN}`, 'x-dragoman-workspace': '%2Fwork%2Fshop,%2Fwork%2Fa%2C%20b' },
  ]);
});

test('a window without a folder on this machine has no code to search', async () => {
  expect(await open().provider.provideMcpServerDefinitions(NEVER)).toEqual([]);
});

test('a server that does not start is told as the reason', async () => {
  const link = standInLink();
  link.ready = () => Promise.reject(new Error('Node is too old'));
  editor.folders = ['/work'];
  const { provider } = open(link);
  const [offered] = (await provider.provideMcpServerDefinitions(NEVER))!;
  await expect(provider.resolveMcpServerDefinition!(offered!, NEVER)).rejects.toThrow(
    'Code search needs the Dragoman server, which did not start: Node is too old',
  );
});
