import type { Stats } from 'node:fs';
import { type Tool, ToolError } from '../tool.ts';
import { checkApproved } from './approved-changes.ts';
import { type Changer, fileBefore, saveFile } from './change-file.ts';
import { type FileChange, fileDiff } from './file-diff.ts';
import { toFileFailure } from './file-failure.ts';
import { isCrlf, withLineEnds } from './lf-view.ts';
import { permittedPath } from './permitted-path.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import type { SeenFiles } from './seen-files.ts';
import { encodeText } from './text-encoding.ts';
import type { WriteInput } from './write-tool.ts';

/** Writes the whole file, in the encoding and with the line ends it had. */
export async function writeFile(
  { filePath, content }: WriteInput,
  context: Tool.Context,
  seen: SeenFiles,
): Promise<Tool.Result> {
  const path = await permittedPath(context, filePath);
  try {
    const changer = { sessionID: context.sessionID, seen };
    const { before, after, bytes, stats, note } = planWrite(path, content, changer);
    const changes = [{ path: path.title, before, after }];
    if (bytes !== undefined) {
      checkApproved(changes, context);
      saveFile(path, bytes, stats, changer);
    }
    const metadata = await fileDiff(changes);
    return { title: path.title, output: note, metadata, isBounded: true };
  } catch (error) {
    throw toFileFailure(error, path);
  }
}

/** What the file would be; nothing is written. */
export function previewWrite({ filePath, content }: WriteInput, context: Tool.Context, seen: SeenFiles): FileChange[] {
  const path = resolvePath(context, filePath);
  const { before, after, bytes } = planWrite(path, content, { sessionID: context.sessionID, seen });
  return bytes === undefined ? [] : [{ path: path.title, before, after }];
}

interface PlannedWrite {
  before: string | undefined;
  after: string;
  /** Absent where the file has this content already. */
  bytes?: Buffer;
  stats?: Stats;
  note: string;
}

/** Works out what the file shall be. From here to its writing nothing may wait. */
function planWrite(path: ResolvedPath, content: string, changer: Changer): PlannedWrite {
  const file = fileBefore(path, changer);
  if (file === undefined) {
    const bytes = encodeText({ text: content, encoding: 'utf8' });
    return { before: undefined, after: content, bytes, note: `Wrote ${path.shown}, a new file.` };
  }
  if (file.stats.size > 0 && !changer.seen.has(changer.sessionID, path.real))
    throw new ToolError(
      `${path.shown} exists, and you have not read it. Read it first, so that nothing is lost by accident.`,
    );
  const { text: before = '', encoding = 'utf8' } = file.decoded ?? {};
  // The byte order mark comes with the encoding.
  const text = encoding === 'utf8' ? content : content.replace(/^\uFEFF/, '');
  const keepsCrlf = isCrlf(before) && text.includes('\n') && !text.includes('\r');
  const after = keepsCrlf ? withLineEnds(text, '\r\n') : text;
  // An older encoding has few letters; a whole new text may well be in UTF-8.
  const bytes = encodeText({ text: after, encoding: encoding === 'latin1' ? 'utf8' : encoding });
  if (bytes.equals(file.bytes)) return { before, after, note: `${path.shown} already has this content.` };
  const note = `Wrote ${path.shown}.${keepsCrlf ? ' Its CRLF line ends were kept.' : ''}`;
  return { before, after, bytes, stats: file.stats, note };
}
