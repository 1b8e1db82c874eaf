import * as vscode from 'vscode';
import { isRecord } from './merge-setting.ts';
import { SETTING } from './put-into-text.ts';

/** Fields that lead somewhere, or open something. */
const LEADING = ['completionURL', 'apiToken', 'oauth', 'chat', 'nextEdit', 'smartPaste', 'remoteAgent'];
/** A field of a later release that does the same, by its name. */
const ALSO_LEADING = /url|host|address|endpoint|token/i;
/** Programs and servers that the agent may use as tools; they are asked with tokens of their own. */
const TOOLS = 'mcpServers';
const MAX_NAME = 60;

/**
 * The files of this workspace that say where the Augment extension sends what it is asked, as a person would name them. A repository
 * that does so would get the conversation, and our token with it.
 */
export function leadingFiles(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const isOneFolder = vscode.workspace.workspaceFile === undefined && folders.length === 1;
  const workspaceFile = vscode.workspace.workspaceFile?.path.split('/').at(-1) ?? '';
  const files = new Set<string>();
  if (valuesAt('workspace').some(leads)) files.add(isOneFolder ? fileOf(folders[0]!) : plain(workspaceFile));
  for (const folder of folders) if (valuesAt('workspaceFolder', folder.uri).some(leads)) files.add(fileOf(folder));
  return [...files];
}

/** Tells when that may have changed. */
export function onDidChangeLeading(look: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) look();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(look),
  );
}

/** What one level says, for every language. */
function valuesAt(level: 'workspace' | 'workspaceFolder', uri?: vscode.Uri): unknown[] {
  const inspect = (languageId?: string) =>
    vscode.workspace
      .getConfiguration(undefined, languageId === undefined ? uri : { ...(uri !== undefined && { uri }), languageId })
      .inspect(SETTING);
  const found = inspect();
  const languages = (found?.languageIds ?? []).map((languageId) => inspect(languageId)?.[`${level}LanguageValue`]);
  return [found?.[`${level}Value`], ...languages];
}

function leads(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).some(
      ([name, below]) =>
        name !== TOOLS && (LEADING.includes(name) || ALSO_LEADING.test(name) || (isRecord(below) && leads(below))),
    )
  );
}

function fileOf({ name }: vscode.WorkspaceFolder): string {
  return `${plain(name)}/.vscode/settings.json`;
}

/** A name that a repository chose, as text: the editor makes links of brackets in what is told, also such that run a command. */
function plain(name: string): string {
  const text = name.replaceAll(/[[\]()\p{C}]/gu, '_');
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
}
