import { z } from 'zod';
import { Tool, ToolError } from '../tool.ts';
import { fileBefore, saveFile, textBefore } from './change-file.ts';
import { closestLines } from './closest-lines.ts';
import { fileDiff } from './file-diff.ts';
import { missingFile, toFileFailure } from './file-failure.ts';
import { type FoundText, findText, type Replacement, type Tolerance } from './find-text.ts';
import { pathSubjects, type ResolvedPath, resolvePath } from './resolve-path.ts';
import type { SeenFiles } from './seen-files.ts';
import { applyEdits } from './text-edit.ts';
import { type DecodedText, encodeText } from './text-encoding.ts';

const parameters = z.object({
  filePath: z.string().describe('The file: absolute, or relative to the working folder.'),
  oldString: z
    .string()
    .describe(
      'The text to replace, exactly as it stands in the file, with enough lines around it to be there only once.',
    ),
  newString: z.string().describe('What comes in its place.'),
  replaceAll: z.boolean().optional().describe('Replace every place where oldString stands.'),
});
type EditInput = z.infer<typeof parameters>;

const LOOKED_THROUGH: Record<Exclude<Tolerance, 'exact'>, string> = {
  'line-endings': 'its line ends',
  'trailing-whitespace': 'whitespace at the ends of lines',
  indentation: 'its indentation',
  'escaped-characters': 'characters that were escaped once too often',
  'typographic-quotes': 'the shape of its quotes',
};

/** Replaces a piece of a file's text. Finds it exactly, or by a slip that leaves no doubt; else changes nothing and says why. */
export function editTool({ seen }: { seen: SeenFiles }): Tool.Info<EditInput> {
  return Tool.define({
    id: 'edit',
    description: [
      'Replaces a piece of text in a file. Read the file first and copy oldString from it, without the line numbers that read shows.',
      'oldString must stand in the file exactly once, unless replaceAll is set. An empty oldString writes a new file.',
      'The line ends of the file are kept. A file that changed since you read it must be read again.',
    ].join('\n'),
    parameters,
    permission: 'edit',
    subjects: ({ filePath }, context) => pathSubjects(context, resolvePath(context, filePath)),
    async execute(input, context) {
      const path = resolvePath(context, input.filePath);
      try {
        const { before, after, note } = change(path, input, { sessionID: context.sessionID, seen });
        const metadata = await fileDiff([{ path: path.title, before, after }]);
        return { title: path.title, output: note, metadata, isBounded: true };
      } catch (error) {
        throw toFileFailure(error, path);
      }
    },
  });
}

interface Changed {
  before: string | undefined;
  after: string;
  note: string;
}

function change(path: ResolvedPath, input: EditInput, changer: { sessionID: string; seen: SeenFiles }): Changed {
  if (input.oldString === input.newString)
    throw new ToolError('oldString and newString are the same, so there is nothing to change.');
  const file = fileBefore(path, changer);
  if (input.oldString === '') {
    if (file !== undefined && file.stats.size > 0)
      throw new ToolError(
        `${path.shown} has content already. Name the text to replace in oldString, or use write to replace all of it.`,
      );
    saveFile(path, encodeText({ text: input.newString, encoding: 'utf8' }), file?.stats, changer);
    return { before: file && '', after: input.newString, note: `Wrote ${path.shown}.` };
  }
  if (file === undefined) throw missingFile(path);
  const decoded = textBefore(path, file);
  const found = findText(decoded.text, input);
  if (found.outcome !== 'found') throw notReplaced(path, decoded, input, found);
  const after = applyEdits(decoded.text, found.edits);
  if (after === decoded.text)
    throw new ToolError(`${path.shown} already stands as newString wants it; nothing was changed.`);
  saveFile(path, encodeText({ ...decoded, text: after }), file.stats, changer);
  return { before: decoded.text, after, note: noteOf(path, decoded.text, found) };
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
