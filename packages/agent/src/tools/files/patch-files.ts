import { closeSync, fchmodSync, lstatSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PermissionSubject } from '@dragoman/protocol';
import { inFolder, openReal } from '@dragoman/server/files';
import { type Tool, ToolError } from '../tool.ts';
import type { ApplyPatchInput } from './apply-patch-tool.ts';
import { applyPatchChunks } from './apply-patch.ts';
import { checkApproved, mayBeFitted } from './approved-changes.ts';
import { type Changer, fileBefore, saveFile, textBefore } from './change-file.ts';
import { type FileChange, fileDiff } from './file-diff.ts';
import { missingFile, toFileFailure } from './file-failure.ts';
import { parsePatch, type PatchOperation } from './parse-patch.ts';
import { permitted, stillPermitted } from './permitted-path.ts';
import { replaceFile } from './replace-file.ts';
import { pathSubjects, type Place, type ResolvedPath, resolvePath } from './resolve-path.ts';
import { fileVersion, type SeenFiles } from './seen-files.ts';
import { type DecodedText, encodeText, type TextEncoding } from './text-encoding.ts';

/** Every file that a patch names, for the permissions. */
export function patchSubjects({ patchText }: ApplyPatchInput, place: Place): PermissionSubject[] {
  const paths = parsePatch(patchText)
    .flatMap(pathsOf)
    .map((path) => resolvePath(place, path));
  const subjects = paths.flatMap((path) => pathSubjects(place, path));
  return [...new Map(subjects.map((subject) => [subject.value, subject])).values()];
}

/** Works out what every file shall be, and only then writes them. */
export async function patchFiles(
  { patchText }: ApplyPatchInput,
  context: Tool.Context,
  seen: SeenFiles,
): Promise<Tool.Result> {
  const operations = parsePatch(patchText);
  const changer = { sessionID: context.sessionID, seen };
  await permitted(
    context,
    () => patchSubjects({ patchText }, context),
    (subjects) => subjects,
  );
  const files = planChanges(operations, context, changer);
  const changes = changesOf(files);
  checkApproved(changes, context);
  commit(files, changer);
  const metadata = await fileDiff(changes);
  const [first = '', ...others] = metadata.files;
  return {
    title: others.length === 0 ? first : `${first} and ${others.length} more`,
    output: ['Applied the patch:', ...changes.map(describe)].join('\n'),
    metadata,
  };
}

/** What every file would be; nothing is written. What is deleted or moved comes first. */
export function previewPatch({ patchText }: ApplyPatchInput, context: Tool.Context, seen: SeenFiles): FileChange[] {
  const files = planChanges(parsePatch(patchText), context, { sessionID: context.sessionID, seen });
  encodeAll(files); // What cannot be written in its encoding would fail.
  const isLeaving = ({ after, movedTo }: FileChange) => after === undefined || movedTo !== undefined;
  return changesOf(files).toSorted((one, other) => Number(isLeaving(other)) - Number(isLeaving(one)));
}

/** A file while the patch goes through it: what it was, and what it shall be. */
interface PlannedFile {
  path: ResolvedPath;
  stats: Stats | undefined;
  bytes: Buffer | undefined;
  encoding: TextEncoding;
  before: string | undefined;
  after: string | undefined;
  /** Where a file that moved here was. */
  movedFrom?: PlannedFile;
}

/** What every file shall be. Each operation sees what those before it left; nothing is written yet. */
function planChanges(operations: readonly PatchOperation[], context: Tool.Context, changer: Changer): PlannedFile[] {
  const files = new Map<string, PlannedFile>();
  const fileAt = (name: string): PlannedFile => {
    const path = stillPermitted(context, name);
    let file = files.get(path.real);
    if (file === undefined) files.set(path.real, (file = plannedFile(path, changer)));
    return file;
  };
  for (const operation of operations) {
    const file = fileAt(operation.path);
    const { shown } = file.path;
    if (operation.type === 'add') {
      if (file.after !== undefined)
        throw new ToolError(`${shown} exists already. Use "*** Update File: ${shown}" to change it.`);
      file.after = operation.content;
      continue;
    }
    if (file.after === undefined) throw missingFile(file.path);
    const isLeaving = operation.type === 'delete' || operation.movedTo !== undefined;
    if (
      isLeaving &&
      lstatSync(resolvePath(context, operation.path).named, { throwIfNoEntry: false })?.isSymbolicLink() === true
    )
      throw new ToolError(
        `${operation.path} is a symlink; a patch can change what it leads to, but not move or delete it.`,
      );
    if (operation.type === 'delete') {
      file.after = undefined;
      continue;
    }
    const text = applyPatchChunks(file.after, operation.chunks, shown, mayBeFitted(context));
    if (operation.movedTo === undefined) {
      file.after = text;
      continue;
    }
    const target = fileAt(operation.movedTo);
    if (target.after !== undefined)
      throw new ToolError(`${shown} cannot move to ${target.path.shown}, which exists already.`);
    Object.assign(target, { after: text, encoding: file.encoding, movedFrom: file });
    file.after = undefined;
  }
  return [...files.values()].filter(({ before, after }) => before !== after);
}

function plannedFile(path: ResolvedPath, changer: Changer): PlannedFile {
  try {
    const found = fileBefore(path, changer);
    const decoded: DecodedText | undefined = found === undefined ? undefined : textBefore(path, found);
    return {
      path,
      stats: found?.stats,
      bytes: found?.bytes,
      encoding: decoded?.encoding ?? 'utf8',
      before: decoded?.text,
      after: decoded?.text,
    };
  } catch (error) {
    throw toFileFailure(error, path);
  }
}

/** Writes all files. When one cannot be written, those before it are put back as they were. */
function commit(files: readonly PlannedFile[], changer: Changer): void {
  const bytes = encodeAll(files);
  const undo: (() => void)[] = [];
  for (const [index, file] of files.entries()) {
    try {
      undo.push(commitFile(file, bytes[index], changer));
    } catch (error) {
      for (const step of undo.toReversed()) step();
      throw new ToolError(`${toFileFailure(error, file.path).message} Nothing of the patch was kept.`, {
        cause: error,
      });
    }
  }
}

function encodeAll(files: readonly PlannedFile[]): (Buffer | undefined)[] {
  return files.map(({ after, encoding }) => (after === undefined ? undefined : encodeText({ text: after, encoding })));
}

/** The plan as it is told to people. */
function changesOf(files: readonly PlannedFile[]): FileChange[] {
  const moves = new Set(files.flatMap(({ movedFrom }) => movedFrom ?? []));
  return files.flatMap((file): FileChange[] => {
    const { path, before, after, movedFrom } = file;
    // What moved is told once, at its new place; unless something else came to its old one.
    if (moves.has(file) && after === undefined) return [];
    if (movedFrom?.after === undefined && movedFrom?.before !== undefined && before === undefined)
      return [{ path: movedFrom.path.title, before: movedFrom.before, after, movedTo: path.title }];
    return [{ path: path.title, before, after }];
  });
}

/** Makes one change, and gives back how to undo it. */
function commitFile(file: PlannedFile, bytes: Buffer | undefined, { seen, sessionID }: Changer): () => void {
  const { path, stats, bytes: old } = file;
  const { real } = path;
  const wasSeen = seen.has(sessionID, real);
  let made: string | undefined;
  if (bytes === undefined) {
    inFolder(dirname(real), (place) => rmSync(join(place, basename(real))));
    seen.drop(sessionID, real);
  } else {
    made = saveFile(path, bytes, stats, { seen, sessionID });
    const mode = file.movedFrom?.stats?.mode;
    if (stats === undefined && mode !== undefined) setMode(real, mode);
  }
  return () => {
    seen.drop(sessionID, real);
    if (old === undefined || stats === undefined) {
      removeMade(real, made);
      return;
    }
    replaceFile(real, old);
    setMode(real, stats.mode);
    if (wasSeen) seen.note(sessionID, real, fileVersion(statSync(real), old));
  };
}

/** Takes away a file and the folders that were made for it, as far as nothing else is in them. */
function removeMade(path: string, made: string | undefined): void {
  inFolder(dirname(path), (place) => rmSync(join(place, basename(path)), { force: true }));
  if (made === undefined) return;
  try {
    for (let folder = dirname(path); folder.length >= made.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Something else came into it, and stays.
  }
}

function setMode(real: string, mode: number): void {
  const { fd } = openReal(real);
  try {
    fchmodSync(fd, mode & 0o7777);
  } finally {
    closeSync(fd);
  }
}

function pathsOf(operation: PatchOperation): string[] {
  return operation.type === 'update' && operation.movedTo !== undefined
    ? [operation.path, operation.movedTo]
    : [operation.path];
}

function describe({ path, before, after, movedTo }: FileChange): string {
  if (movedTo !== undefined) return `moved ${path} to ${movedTo}`;
  if (before === undefined) return `added ${path}`;
  return after === undefined ? `deleted ${path}` : `changed ${path}`;
}
