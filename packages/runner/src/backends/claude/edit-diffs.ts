import { resolve } from 'node:path';
import type { FileDiff } from '@dragoman/protocol';
import { readProjectFile } from '@dragoman/server/files';
import { countIn, type Fields, listIn, textIn, textsIn } from '../../backend/fields.ts';
import { pathBelow } from '../../backend/session-path.ts';
import { unifiedDiff } from '../../backend/unified-diff.ts';

const LARGEST_FILE = 1024 * 1024;

/**
 * What a call is about to change, told before it runs: the file as it is now beside what it would be. Where the file does
 * not have what is to be replaced, only the replaced piece is shown.
 */
export function proposedDiffs(name: string, input: Fields, cwd: string): FileDiff[] {
  const given = textIn(input, 'file_path');
  if (given === undefined) return [];
  const path = resolve(cwd, given);
  switch (name) {
    case 'Write':
      return [unifiedDiff(path, readText(path, cwd), rawText(input, 'content'), cwd)];
    case 'Edit':
      return [editDiff(path, [input], cwd)];
    case 'MultiEdit':
      return [editDiff(path, listIn(input, 'edits'), cwd)];
    default:
      return [];
  }
}

/** What a call changed, as Claude Code tells it beside the result. */
export function doneDiffs(details: Fields, cwd: string): FileDiff[] {
  const given = textIn(details, 'filePath');
  if (given === undefined) return [];
  const path = pathBelow(cwd, resolve(cwd, given));
  if (details['type'] === 'create') return [unifiedDiff(resolve(cwd, given), null, rawText(details, 'content'), cwd)];
  const hunks = listIn(details, 'structuredPatch').map(toHunk);
  return hunks.length === 0 ? [] : [{ path, unified: `--- ${path}\n+++ ${path}\n${hunks.join('')}` }];
}

function editDiff(path: string, edits: readonly Fields[], cwd: string): FileDiff {
  const before = readText(path, cwd);
  const after = before === null ? undefined : applyEdits(before, edits);
  if (before !== null && after !== undefined) return unifiedDiff(path, before, after, cwd);
  const pieces = (name: string) => edits.map((edit) => rawText(edit, name)).join('\n');
  return unifiedDiff(path, pieces('old_string') || null, pieces('new_string'), cwd);
}

function applyEdits(text: string, edits: readonly Fields[]): string | undefined {
  let edited = text;
  for (const edit of edits) {
    const [from, to] = [rawText(edit, 'old_string'), rawText(edit, 'new_string')];
    if (from === '' || !edited.includes(from)) return undefined;
    edited = edit['replace_all'] === true ? edited.replaceAll(from, () => to) : edited.replace(from, () => to);
  }
  return edited;
}

function toHunk(hunk: Fields): string {
  const range = (start: string, lines: string) => `${countIn(hunk, start) ?? 1},${countIn(hunk, lines) ?? 0}`;
  const body = textsIn(hunk, 'lines').map((line) => `${line}\n`);
  return `@@ -${range('oldStart', 'oldLines')} +${range('newStart', 'newLines')} @@\n${body.join('')}`;
}

/** A text that may be empty. */
function rawText(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Everybody who may look at the session sees it, so secrets are not shown, nor files that lie elsewhere. */
function readText(path: string, cwd: string): string | null {
  try {
    const file = readProjectFile(path, { project: cwd, maxBytes: LARGEST_FILE });
    return file?.bytes.toString('utf8') ?? null;
  } catch {
    return null;
  }
}
