import { type Tool, ToolError } from '../tool.ts';
import { type Changer, fileBefore, saveFile } from './change-file.ts';
import { fileDiff } from './file-diff.ts';
import { toFileFailure } from './file-failure.ts';
import { isCrlf, withLineEnds } from './lf-view.ts';
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
  const path = resolvePath(context, filePath);
  try {
    const { before, after, note } = overwrite(path, content, { sessionID: context.sessionID, seen });
    const metadata = await fileDiff([{ path: path.title, before, after }]);
    return { title: path.title, output: note, metadata, isBounded: true };
  } catch (error) {
    throw toFileFailure(error, path);
  }
}

function overwrite(
  path: ResolvedPath,
  content: string,
  changer: Changer,
): { before: string | undefined; after: string; note: string } {
  const file = fileBefore(path, changer);
  if (file === undefined) {
    saveFile(path, encodeText({ text: content, encoding: 'utf8' }), undefined, changer);
    return { before: undefined, after: content, note: `Wrote ${path.shown}, a new file.` };
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
  saveFile(path, bytes, file.stats, changer);
  return { before, after, note: `Wrote ${path.shown}.${keepsCrlf ? ' Its CRLF line ends were kept.' : ''}` };
}
