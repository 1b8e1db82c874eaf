import * as vscode from 'vscode';
import { isRecord } from './merge-setting.ts';
import { SETTING } from './put-into-text.ts';

/**
 * Fields that a workspace may choose: which model answers, and programs and servers that the agent may use as tools, which are asked with tokens of their own.
 *
 * Whatever is not among them counts as leading away. A list of what leads would have to know every field of every release of the Augment
 * extension, and missing one gives away the token; missing one here costs a connection that is made again with a click.
 */
const MODEL = 'model';
const TOOLS = 'mcpServers';
const [PARENT, CHILD] = SETTING.split('.') as [string, string];
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
  if (leadsAt('workspace')) files.add(isOneFolder ? fileOf(folders[0]!) : plain(workspaceFile));
  for (const folder of folders) if (leadsAt('workspaceFolder', folder.uri)) files.add(fileOf(folder));
  return [...files];
}

/**
 * Tells when that may have changed, which is after any change: the editor reports names as they stand in the file, and of
 * `"augment": { "advanced": … }` it says that `augment.advanced` is not affected.
 */
export function onDidChangeLeading(look: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(look),
    vscode.workspace.onDidChangeWorkspaceFolders(look),
  );
}

/** What stands above the setting may take all of it away, and is not seen by looking at the setting itself. */
function leadsAt(level: 'workspace' | 'workspaceFolder', uri?: vscode.Uri): boolean {
  return (
    valuesAt(SETTING, level, uri).some(leads) ||
    valuesAt(PARENT, level, uri).some((value) => !isRecord(value) || leads(value[CHILD]))
  );
}

/** What one level says, for every language. */
function valuesAt(name: string, level: 'workspace' | 'workspaceFolder', uri?: vscode.Uri): unknown[] {
  const inspect = (languageId?: string) =>
    vscode.workspace
      .getConfiguration(undefined, languageId === undefined ? uri : { ...(uri !== undefined && { uri }), languageId })
      .inspect(name);
  const found = inspect();
  const languages = (found?.languageIds ?? []).map((languageId) => inspect(languageId)?.[`${level}LanguageValue`]);
  return [found?.[`${level}Value`], ...languages].filter((value) => value !== undefined);
}

function leads(value: unknown): boolean {
  if (value === undefined) return false;
  return (
    !isRecord(value) ||
    Object.entries(value).some(([name, below]) => name !== TOOLS && !(name === MODEL && typeof below === 'string'))
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
