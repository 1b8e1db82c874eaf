import type { AnyPart, AssistantInfo, Message, SessionState } from '@dragoman/protocol';
import { formatMoment } from './format-moment.ts';
import { howToRun } from './how-to-run.ts';
import { cleanLine, cleanText } from './terminal/clean-text.ts';
import { formatDuration } from './terminal/format-amounts.ts';
import { markdownWriter } from './terminal/markdown-writer.ts';
import { errorLines, retryLines } from './terminal/notices.ts';
import { type Paint, painter } from './terminal/paint.ts';
import { endedToolLines, openToolLines } from './terminal/tool-line.ts';
import type { TerminalLooks } from './terminal-looks.ts';

interface Surroundings extends TerminalLooks {
  paint: Paint;
  cwd: string;
}

type Role = Message['info']['role'];

/** Where nothing is wrapped, lines of tools are still cut. */
const LINE_WIDTH = 200;

/**
 * A conversation as text: who said what, and a line per tool call, as they stood on the terminal. Prompts are shown with
 * their ids, because they are what one goes back to.
 */
export function showSession(state: SessionState, looks: TerminalLooks): string {
  const { info, messages, revert, queue } = state;
  const surroundings = { ...looks, paint: painter(looks.isColored), cwd: info.cwd };
  const { paint } = surroundings;
  const blocks = [
    `${paint('bold', cleanLine(info.title))}\n${paint('dim', `${info.id} · ${cleanLine(info.cwd)} · ${formatMoment(info.time.created)}`)}`,
  ];
  let speaker: Role | undefined;
  for (const message of messages) {
    if (message.info.id === revert?.messageID) blocks.push(takenBack(info.id, paint));
    const shown = showMessage(message, speaker, surroundings);
    if (shown === undefined) continue;
    blocks.push(shown);
    speaker = message.info.role;
  }
  for (const { message } of queue)
    blocks.push(showMessage(message, undefined, surroundings) ?? '', paint('dim', 'Queued.'));
  return `${blocks.join('\n\n')}\n`;
}

function takenBack(sessionID: string, paint: Paint): string {
  return paint('yellow', `Everything below was reverted. To undo: ${howToRun(`sessions unrevert ${sessionID}`)}`);
}

/** Steps of one answer stand below one head. */
function showMessage(message: Message, speaker: Role | undefined, surroundings: Surroundings): string | undefined {
  const { info, parts } = message;
  const { paint } = surroundings;
  if (info.role === 'assistant' && info.summary === true)
    return paint('dim', '≡ earlier messages were summarized for the model');
  const blocks = joinActivity(parts.flatMap((part) => showPart(part, info.role, surroundings)));
  if (info.role === 'assistant' && info.error !== undefined)
    blocks.push(errorLines(info.error, howToRun, notices(surroundings)).join('\n'));
  if (blocks.length === 0) return undefined;
  const head =
    info.role === 'user'
      ? `${paint('bold', 'you')} ${paint('dim', `${info.id} · ${formatMoment(info.time.created)}`)}`
      : speaker === 'assistant'
        ? undefined
        : headOf(info, paint);
  return [...(head === undefined ? [] : [head]), blocks.join('\n\n')].join('\n');
}

function headOf({ agent, model }: AssistantInfo, paint: Paint): string {
  return `${paint('bold', cleanLine(agent))} ${paint('dim', cleanLine(`${model.providerID}/${model.modelID}`))}`;
}

interface Block {
  kind: 'text' | 'activity';
  text: string;
}

/** Lines of activity that follow each other stand together. */
function joinActivity(blocks: readonly Block[]): string[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last?.kind === 'activity' && block.kind === 'activity') last.text += `\n${block.text}`;
    else joined.push({ ...block });
  }
  return joined.map(({ text }) => text);
}

function showPart(part: AnyPart, role: Role, surroundings: Surroundings): Block[] {
  const { paint } = surroundings;
  const context = { paint, width: lineWidth(surroundings), cwd: surroundings.cwd };
  const activity = (lines: readonly string[]): Block[] => [{ kind: 'activity', text: lines.join('\n') }];
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ kind: 'text', text: showText(part, role, surroundings) }];
    case 'tool': {
      const ended = endedToolLines(part, context);
      return activity(ended.length > 0 ? ended : openToolLines(part, Date.now(), context).slice(0, 1));
    }
    case 'reasoning': {
      const { start, end } = part.time as { start: number; end?: number };
      if (end === undefined || part.text.trim() === '') return [];
      return activity([paint('dim', `thought for ${formatDuration(end - start)}`)]);
    }
    case 'file':
      return activity([paint('dim', `+ ${cleanLine(part.filename ?? part.mime)}`)]);
    case 'subtask':
      return activity([paint('dim', cleanLine(`+ task for ${part.agent}: ${part.description}`))]);
    case 'retry':
      return activity(retryLines(part, notices(surroundings)));
    default: // What is left has no place on a terminal.
      return [];
  }
}

/** A person's words stand as they were written; a model writes Markdown. */
function showText(
  { text, synthetic }: Extract<AnyPart, { type: 'text' }>,
  role: Role,
  { width, isColored, paint }: Surroundings,
): string {
  if (synthetic === true) return paint('dim', cleanText(text.trim()));
  if (role === 'user') return cleanText(text.trim());
  let written = '';
  const writer = markdownWriter({ width, isColored, write: (piece) => (written += piece) });
  writer.push(text);
  writer.end();
  return written.replace(/\n+$/, '');
}

function notices(surroundings: Surroundings) {
  return { paint: surroundings.paint, width: lineWidth(surroundings) };
}

function lineWidth({ width }: Surroundings): number {
  return Number.isFinite(width) ? width : LINE_WIDTH;
}
