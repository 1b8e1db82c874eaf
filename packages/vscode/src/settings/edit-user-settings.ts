import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import type { TextChange } from './edit-jsonc.ts';
import { settingsWords } from './settings-words.ts';

/** A setting that hardly anybody has set, and every editor with a chat knows. */
const ANY = 'chat.utilityModel';
/** How long each step may take. */
const LIMIT_MS = 30_000;
const POLL_MS = 100;
const MAX_REFUSALS = 10;

/** What the whole text of a settings.json becomes; nothing where it is not one. Asked again where the text changed meanwhile. */
export type TextEdit = (text: string) => Promise<string | undefined> | string | undefined;

/**
 * Changes the person's settings.json, in view, as they would themselves.
 *
 * For settings that the editor reads but leaves out of its list, so that it refuses them from extensions, and for those
 * whose comments it would not keep. Only after the person agreed to it; the name is for telling them what could not
 * be written. A file with changes that were not saved is theirs: it is left alone.
 */
export async function editUserSettings(name: string, edit: TextEdit): Promise<void> {
  const wasShown = tabsWithFile().length > 0;
  const uri = await showFile();
  try {
    await write(uri, name, edit);
    await letItBeRead();
  } finally {
    if (!wasShown) await close();
  }
}

/** Where the file is only the editor knows, on whichever machine; it says so by showing it, now or a moment later. */
async function showFile(): Promise<vscode.Uri> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const last = performance.now() + LIMIT_MS;
  while (performance.now() < last) {
    const uri = tabsWithFile()[0]?.uri ?? vscode.workspace.textDocuments.find((each) => isUserFile(each.uri))?.uri;
    if (uri !== undefined) return uri;
    await delay(POLL_MS);
  }
  throw new DragomanError('timed-out', settingsWords.now().notOpened(LIMIT_MS / 1000));
}

/**
 * Through the editor's own document, so that whoever has it open sees it change. Again, where the editor reads the file anew at that
 * moment or lets go of the document; and in the file itself where it refuses for good: an editor in a browser can lose count of
 * the versions of its document.
 */
async function write(uri: vscode.Uri, name: string, edit: TextEdit): Promise<void> {
  const last = performance.now() + LIMIT_MS;
  let isBegun = false;
  for (let refusals = 0; performance.now() < last; await delay(POLL_MS)) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty && !isBegun) break;
    const before = document.getText();
    const after = await edit(before);
    if (after === undefined) break;
    if (after === before && !isBegun) return;
    const { start, end, text } = smallestChange(before, after);
    const changes = new vscode.WorkspaceEdit();
    changes.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    if (await vscode.workspace.applyEdit(changes)) {
      isBegun = true;
      if (await isSaved(document)) return;
    } else if ((refusals += 1) === MAX_REFUSALS) return writeFile(uri, name, edit);
  }
  throw new DragomanError('conflict', settingsWords.now().notWritten(name));
}

async function writeFile(uri: vscode.Uri, name: string, edit: TextEdit): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri));
  const changed = await edit(text);
  if (changed === undefined) throw new DragomanError('conflict', settingsWords.now().notWritten(name));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(changed));
}

/** What lies between the beginning and the end that two texts share. */
function smallestChange(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let shared = 0;
  while (shared < shorter - start && before.at(-1 - shared) === after.at(-1 - shared)) shared++;
  return { start, end: before.length - shared, text: after.slice(start, after.length - shared) };
}

async function isSaved(document: vscode.TextDocument): Promise<boolean> {
  try {
    // An editor that saves by itself may be faster; then there is nothing left to save.
    return (await document.save()) || !(document.isDirty || document.isClosed);
  } catch {
    return false; // The editor let go of it.
  }
}

/**
 * An editor in a browser does not notice that its file was changed like any other. It reads it whenever a setting is written
 * in the proper way, so one is, with the value it has.
 */
async function letItBeRead(): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  try {
    await settings.update(ANY, settings.inspect(ANY)?.globalValue, vscode.ConfigurationTarget.Global);
  } catch {
    // An editor that does not know it reads its file by itself, or at its next start.
  }
}

/** A tab that we opened goes again; where the editor shows the file in another way, only while it is in front. */
async function close(): Promise<void> {
  const tabs = tabsWithFile().map(({ tab }) => tab);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
  else if (vscode.window.activeTextEditor !== undefined && isUserFile(vscode.window.activeTextEditor.document.uri))
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
}

function tabsWithFile(): { tab: vscode.Tab; uri: vscode.Uri }[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => (tab.input instanceof vscode.TabInputText ? [{ tab, uri: tab.input.uri }] : []))
    .filter(({ uri }) => isUserFile(uri));
}

/** The file of the person, of a profile too, and none of a workspace that only has its name. */
function isUserFile(uri: vscode.Uri): boolean {
  return (
    /\/User\/(?:profiles\/[^/]+\/)?settings\.json$/.test(uri.path) &&
    vscode.workspace.getWorkspaceFolder(uri) === undefined
  );
}
