import { resolve } from 'node:path';
import type { FileDiff } from '@dragoman/protocol';
import { type Fields, fieldsIn, textIn } from '../../backend/fields.ts';
import { pathBelow } from '../../backend/session-path.ts';
import { unifiedDiff } from '../../backend/unified-diff.ts';

/** The files of changes as people know them, each with what becomes of it. */
export function changedFiles(changes: readonly Fields[], cwd: string): { path: string; kind: string }[] {
  return changes.flatMap((change) => {
    const path = textIn(change, 'path');
    if (path === undefined) return [];
    const kind = fieldsIn(change, 'kind');
    const moved = textIn(kind, 'move_path');
    const told = { path: pathBelow(cwd, resolve(cwd, path)), kind: textIn(kind, 'type') ?? 'update' };
    return moved === undefined ? [told] : [told, { path: pathBelow(cwd, resolve(cwd, moved)), kind: 'add' }];
  });
}

/** Changes as unified diffs. Of a file that is new or removed Codex tells the contents, of others the changed places. */
export function changeDiffs(changes: readonly Fields[], cwd: string): FileDiff[] {
  return changes.flatMap((change) => {
    const given = textIn(change, 'path');
    if (given === undefined) return [];
    const kind = fieldsIn(change, 'kind');
    const path = pathBelow(cwd, resolve(cwd, given));
    const text = textIn(change, 'diff') ?? '';
    switch (kind['type']) {
      case 'add':
        return [unifiedDiff(resolve(cwd, given), null, text, cwd)];
      case 'delete':
        return [{ path, unified: removed(path, text) }];
      default: {
        const moved = textIn(kind, 'move_path');
        const to = moved === undefined ? path : pathBelow(cwd, resolve(cwd, moved));
        const body = text.replace(/\n*Moved to: [^\n]*\n?$/, '');
        const unified = body.startsWith('--- ') ? body : `--- ${path}\n+++ ${to}\n${body}`;
        return [{ path: to, unified: unified.endsWith('\n') ? unified : `${unified}\n` }];
      }
    }
  });
}

function removed(path: string, text: string): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const range = lines.length === 0 ? '-0,0' : `-1,${lines.length}`;
  const body = lines.map((line) => `-${line}\n`).join('');
  return `--- ${path}\n+++ /dev/null\n@@ ${range} +0,0 @@\n${body}`;
}
