import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import { openFolders } from '../open-folders.ts';
import { chatWords } from './chat-words.ts';

/** The provider's name in the manifest. */
const MCP_PROVIDER = 'dragoman.context';
/** Where the server is becomes known when the editor starts it. */
const SOMEWHERE = 'http://127.0.0.1/mcp';

/**
 * The context engine for the editor's chat, as an MCP server.
 *
 * The editor keeps definitions on disk, so that what it is offered holds no token and is always the same; address, token
 * and folders are put in when it starts the server. Does nothing in editors that have no such thing.
 */
export function registerTools({ link, context }: Pick<ExtensionParts, 'link' | 'context'>): vscode.Disposable {
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  if (lm?.registerMcpServerDefinitionProvider === undefined) return new vscode.Disposable(() => {});
  const changed = new vscode.EventEmitter<void>();
  const { version } = context.extension.packageJSON as { version: string };
  const provider: vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () =>
      openFolders().length === 0
        ? []
        : [new vscode.McpHttpServerDefinition(chatWords.now().mcpLabel, vscode.Uri.parse(SOMEWHERE), {}, version)],
    async resolveMcpServerDefinition(definition) {
      const { url, token } = await link.ready().catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new DragomanError('unavailable', chatWords.now().mcpNoServer(reason), { cause });
      });
      definition.uri = vscode.Uri.parse(`${url}/mcp`);
      definition.headers = {
        authorization: `Bearer ${token}`,
        'x-dragoman-workspace': openFolders().map(encodeURIComponent).join(','),
      };
      return definition;
    },
  };
  return vscode.Disposable.from(
    lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, provider),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    changed,
  );
}
