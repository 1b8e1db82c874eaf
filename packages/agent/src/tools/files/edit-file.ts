import type { Stats } from 'node:fs';
import { type Tool, ToolError } from '../tool.ts';
import { checkApproved, mayBeFitted } from './approved-changes.ts';
import { type Changer, fileBefore, saveFile, textBefore } from './change-file.ts';
import { closestLines } from './closest-lines.ts';
import type { EditInput } from './edit-tool.ts';
import { type FileChange, fileDiff } from './file-diff.ts';
import { missingFile, toFileFailure } from './file-failure.ts';
import { type FoundText, findText, type Replacement, type Tolerance } from './find-text.ts';
import { permittedPath } from './permitted-path.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import type { SeenFiles } from './seen-files.ts';
import { applyEdits } from './text-edit.ts';
import { type DecodedText, encodeText } from './text-encoding.ts';

const LOOKED_THROUGH: Record<Exclude<Tolerance, 'exact'>, string> = {
  'line-endings': 'its line ends',
  'trailing-whitespace': 'whitespace at the ends of lines',
  indentation: 'its indentation',
  'escaped-characters': 'characters that were escaped once too often',
  'typographic-quotes': 'the shape of its quotes',
};

/** Finds the text exactly, or by a slip that leaves no doubt, and replaces it; else changes nothing and says why. */
export async function editFile(input: EditInput, context: Tool.Context, seen: SeenFiles): Promise<Tool.Result> {
  const path = await permittedPath(context, input.filePath);
  try {
    const changer = { sessionID: context.sessionID, seen };
    const { before, after, bytes, stats, note } = planEdit(path, input, changer, mayBeFitted(context));
    const changes = [{ path: path.title, before, after }];
    checkApproved(changes, context);
    saveFile(path, bytes, stats, changer);
    const metadata = await fileDiff(changes);
    return { title: path.title, output: note, metadata, isBounded: true };
  } catch (error) {
    throw toFileFailure(error, path);
  }
}

/** What the file would be; nothing is written. */
export function previewEdit(input: EditInput, context: Tool.Context, seen: SeenFiles): FileChange[] {
  const path = resolvePath(context, input.filePath);
  const { before, after } = planEdit(path, input, { sessionID: context.sessionID, seen }, true);
  return [{ path: path.title, before, after }];
}

interface PlannedEdit {
  before: string | undefined;
  after: string;
  bytes: Buffer;
  stats: Stats | undefined;
  note: string;
}

/** Works out what the file shall be. From here to its writing nothing may wait. */
function planEdit(path: ResolvedPath, input: EditInput, changer: Changer, isFitted: boolean): PlannedEdit {
  if (input.oldString === input.newString)
    throw new ToolError('oldString and newString are the same, so there is nothing to change.');
  const file = fileBefore(path, changer);
  if (input.oldString === '') {
    if (file !== undefined && file.stats.size > 0)
      throw new ToolError(
        `${path.shown} has content already. Name the text to replace in oldString, or use write to replace all of it.`,
      );
    const bytes = encodeText({ text: input.newString, encoding: 'utf8' });
    return { before: file && '', after: input.newString, bytes, stats: file?.stats, note: `Wrote ${path.shown}.` };
  }
  if (file === undefined) throw missingFile(path);
  const decoded = textBefore(path, file);
  const found = findText(decoded.text, input, isFitted);
  if (found.outcome !== 'found') throw notReplaced(path, decoded, input, found);
  const after = applyEdits(decoded.text, found.edits);
  if (after === decoded.text)
    throw new ToolError(`${path.shown} already stands as newString wants it; nothing was changed.`);
  const bytes = encodeText({ ...decoded, text: after });
  return { before: decoded.text, after, bytes, stats: file.stats, note: noteOf(path, decoded.text, found) };
}

function noteOf(path: ResolvedPath, content: string, found: Extract<FoundText, { outcome: 'found' }>): string {
  const lines = lineNumbers(
    content,
    found.edits.map(({ start }) => start),
  );
  const where = lines.length === 1 ? `at line ${lines[0]}` : `in ${lines.length} places (lines ${lines.join(', ')})`;
  const done = `Edited ${path.shown} ${where}.`;
  if (found.tolerance === 'exact') return done;
  return `${done} oldString differed from the file in ${LOOKED_THROUGH[found.tolerance]}; newString was fitted to the file.`;
}

function notReplaced(
  path: ResolvedPath,
  { text }: DecodedText,
  { oldString, replaceAll }: Replacement,
  found: Exclude<FoundText, { outcome: 'found' }>,
): ToolError {
  if (found.outcome === 'several') {
    const lines = lineNumbers(text, found.starts).join(', ');
    const what =
      found.tolerance === 'exact'
        ? 'oldString stands'
        : `Apart from ${LOOKED_THROUGH[found.tolerance]}, oldString stands`;
    const advice =
      replaceAll === true ? 'Copy it exactly.' : 'Add lines around it until it is there once, or set replaceAll.';
    return new ToolError(`${what} in ${path.shown} ${found.starts.length} times, at lines ${lines}. ${advice}`);
  }
  const isNumbered = oldString.split('\n').every((line) => /^\d+\t/.test(line) || line === '');
  const closest = closestLines(text, isNumbered ? oldString.replace(/^\d+\t/gm, '') : oldString);
  return new ToolError(
    [
      `oldString was not found in ${path.shown}; nothing was changed.`,
      ...(isNumbered ? ['It seems to hold the line numbers that read shows; leave them out.'] : []),
      ...(closest === undefined
        ? ['Nothing in the file comes near it. Read the file again.']
        : [
            `The lines that come closest (number, tab, line):\n${closest}`,
            'Copy the text exactly as it stands there.',
          ]),
    ].join('\n'),
  );
}

/** The lines, counted from 1, that these places are in. */
function lineNumbers(content: string, starts: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return starts.map((start) => {
    for (let at = content.indexOf('\n', from); at !== -1 && at < start; at = content.indexOf('\n', at + 1)) {
      line++;
      from = at + 1;
    }
    return line;
  });
}
