import { redactToolValueInTurns } from '../secrets/redact-text.ts';
import type { Turns } from '../secrets/turns.ts';
import type { ContentBlockOf, FileDiff } from '../uap/content-block.ts';
import { describeToolCall } from '../tool-call-title.ts';
import { describeActor } from './describe-reply.ts';
import { fenced, htmlLine, plainLine, quoted, safeMarkdown } from './safe-markdown.ts';
import type { SessionView, ShownBlock, ShownMessage } from './session-view.ts';

/**
 * A session as a Markdown document to read, keep or send: prompts and answers in full, thinking and calls folded, each
 * call with its result, and no secrets: it is made to be handed on.
 */
export function exportSessionMarkdown(view: SessionView): string {
  return [...sessionMarkdown(view)].join('');
}

/**
 * The same in pieces, each made when it is asked for: a session may be long, and who makes them has others to serve. Some are
 * empty. Secrets are taken out before anything is written, because Markdown escapes what they are known by.
 */
export function* sessionMarkdown(whole: SessionView): Generator<string> {
  const { title, cwd, branch, model, mode, info, turn } = whole;
  const shown = yield* withoutSecrets({ title, cwd, branch, model, mode, info, turn });
  const messages: ShownMessage[] = [];
  for (const message of whole.messages) messages.push(yield* withoutSecrets(message));
  const view: SessionView = { ...whole, ...shown, messages };
  const results = resultsOf(view);
  yield `# ${plainLine(view.title)}\n\n${about(view)}`;
  let heading: string | undefined;
  const earlierAgents = messages.flatMap(({ agentBefore }) => agentBefore ?? []);
  for (const message of view.messages) {
    if (message.agentBefore !== undefined) earlierAgents.shift();
    // What the agent does in a row stands under one heading; every prompt has its own.
    const speaker = speakerOf(message, earlierAgents[0] ?? view.info.agent);
    let isHeaded = speaker === undefined || (speaker === heading && message.by === undefined);
    for (const block of message.blocks) {
      const part = blockMarkdown(block, view, results);
      if (part === undefined) continue;
      if (!isHeaded) {
        heading = speaker;
        isHeaded = true;
        yield `\n\n## ${speaker}`;
      }
      yield `\n\n${part}`;
    }
  }
  const end = view.turn?.reason;
  if (end !== undefined && end !== 'done')
    yield `\n\n${quoted(`**The last turn ended: ${end}.** ${errorOf(view)}`.trim())}`;
  yield '\n';
}

/** What may be handed on, with an empty piece wherever others get a turn. Short values get one piece: there may be many of them. */
function* withoutSecrets<Value>(value: Value): Generator<string, Value> {
  yield '';
  const turns: Turns<{ value: Value }> = redactToolValueInTurns(value);
  for (;;) {
    const { done, value: redacted } = turns.next();
    if (done === true) return redacted.value;
    yield '';
  }
}

/** A session as data, without secrets: standard messages of the protocol, each with who said it and when, and how the calls stand. */
export function exportSessionJson(view: SessionView): string {
  return [...sessionJson(view)].join('');
}

/** The same in pieces, each made when it is asked for. */
export function* sessionJson(view: SessionView): Generator<string> {
  const { info, title, cwd, branch, model, mode, createdAt, updatedAt } = view;
  const session = { ...info, title, cwd, branch, model, mode, createdAt, updatedAt };
  yield `{\n  "format": "dragoman-session",\n  "version": 1,\n  "session": ${yield* shareable(session, '  ')},\n  "messages": `;
  yield* enclosed('[]', view.messages, ({ id, by, turnId, role, blocks }) => {
    const message = { role, content: blocks.map(({ block }) => block) };
    return shareable({ id, by, turnId, startedAt: blocks[0]?.startedAt, message }, '    ');
  });
  yield ',\n  "calls": ';
  yield* enclosed('{}', view.tools, function* ([id, tool]) {
    return `${JSON.stringify(id)}: ${yield* shareable(tool, '    ')}`;
  });
  yield ',\n  "turns": ';
  yield* enclosed('[]', view.turns, (turn) => shareable(turn, '    '));
  yield `,\n  "usage": ${indented(view.usage, '  ')}\n}\n`;
}

function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);
}

function* shareable(value: unknown, by: string): Generator<string, string> {
  return indented(yield* withoutSecrets(value), by);
}

/** What stands in brackets, one item to a line. */
function* enclosed<Item>(
  brackets: string,
  items: Iterable<Item>,
  write: (item: Item) => Generator<string, string>,
): Generator<string> {
  yield brackets[0]!;
  let isEmpty = true;
  for (const item of items) {
    yield `${isEmpty ? '' : ','}\n    ${yield* write(item)}`;
    isEmpty = false;
  }
  yield isEmpty ? brackets[1]! : `\n  ${brackets[1]!}`;
}

function about(view: SessionView): string {
  const { info, usage } = view;
  const tokens = [usage.input_tokens, usage.output_tokens].map((count) => (count ?? 0).toLocaleString('en-US'));
  return [
    ['Agent', info.agent],
    ['Model', view.model],
    ['Mode', view.mode],
    ['Folder', view.cwd],
    ['Branch', view.branch],
    ['Started by', describeActor(info.by)],
    ['Started', time(view.createdAt)],
    ['Last event', time(view.updatedAt)],
    ['Tokens', usage.input_tokens === undefined ? undefined : `${tokens[0]} in, ${tokens[1]} out`],
    ['Cost', usage.cost_usd === undefined ? undefined : `$${usage.cost_usd.toFixed(4)}`],
  ]
    .flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${plainLine(value)}`]))
    .join('\n');
}

function errorOf({ turn }: SessionView): string {
  if (turn?.error === undefined) return '';
  return plainLine([turn.error.message, turn.error.fix ?? ''].join(' '));
}

/** Results are told with their calls, and what the agent program says stands where it is. */
function speakerOf({ role, by }: ShownMessage, agent: string): string | undefined {
  if (by !== undefined) return plainLine(describeActor(by));
  return role === 'assistant' ? plainLine(agent) : undefined;
}

type ResultsById = ReadonlyMap<string, ContentBlockOf<'tool_result'>>;

function resultsOf({ messages }: SessionView): ResultsById {
  const results = new Map<string, ContentBlockOf<'tool_result'>>();
  for (const { blocks } of messages)
    for (const { id, block } of blocks) if (block.type === 'tool_result') results.set(id, block);
  return results;
}

function blockMarkdown(
  { block, startedAt, endedAt }: ShownBlock,
  view: SessionView,
  results: ResultsById,
): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? undefined : safeMarkdown(block.text.trim());
    case 'thinking':
      if (block.thinking.trim() === '') return undefined;
      return folded(`Thinking${duration(startedAt, endedAt)}`, [safeMarkdown(block.thinking.trim())]);
    case 'tool_use':
      return callMarkdown(block, view, results);
    case 'tool_result':
      return view.tools.get(block.tool_use_id)?.useBlockId === undefined
        ? folded(
            `Result of ${block.tool_use_id}: ${block.is_error === true ? 'Error' : 'Success'}`,
            resultMarkdown(block),
          )
        : undefined;
    case 'image':
    case 'file':
      return attachmentMarkdown(block);
    case 'plan':
      return block.entries.map(planLine).join('\n');
    case 'usage':
      return undefined;
    case 'approval': {
      const decision = plainLine(block.decision ?? 'Waiting for an answer');
      const reason = block.reason === undefined ? '' : `\n\n${safeMarkdown(block.reason)}`;
      return quoted(`**${plainLine(block.title)}** ${decision}${reason}`);
    }
    case 'error':
      return quoted(`**Error:** ${plainLine([block.message, block.fix ?? ''].join(' '))}`);
    case 'notice':
      return quoted(plainLine(block.text));
    default: // A block of another program's making.
      return undefined;
  }
}

function callMarkdown(use: ContentBlockOf<'tool_use'>, { tools }: SessionView, results: ResultsById): string {
  const tool = tools.get(use.id);
  const { title, description } = describeToolCall(use.name, use.input);
  const line = use.title ?? (description === undefined ? title : `${title} ${description}`);
  const result = results.get(tool?.resultBlockId ?? '');
  const body = [fenced(JSON.stringify(use.input, null, 2) ?? '', 'json')];
  if (result !== undefined) body.push(...resultMarkdown(result));
  const took = tool === undefined ? '' : duration(tool.startedAt, tool.endedAt);
  const nested = use.parent_tool_use_id === undefined ? '' : '↳ ';
  return folded(`${nested}${line}: ${tool?.status ?? 'Running'}${took}`, body);
}

function resultMarkdown({ content, diffs = [], attachments = [] }: ContentBlockOf<'tool_result'>): string[] {
  return [
    ...(content.trim() === '' ? [] : [fenced(content)]),
    ...diffs.map(diffMarkdown),
    ...attachments.map(attachmentMarkdown),
  ];
}

function diffMarkdown({ path, unified }: FileDiff): string {
  return `${plainLine(path)}\n\n${fenced(unified, 'diff')}`;
}

function attachmentMarkdown(block: ContentBlockOf<'image' | 'file'>): string {
  const name = plainLine(block.type === 'file' ? block.name : 'image');
  const address = block.url ?? (block.type === 'file' ? block.uri : undefined);
  if (address === undefined)
    return `*${name}*${block.media_type === undefined ? '' : ` (${plainLine(block.media_type)})`}`;
  const target = address.replace(/[<>\s\\]/g, (character) => encodeURIComponent(character));
  return `${block.type === 'image' ? '!' : ''}[${name}](<${target}>)`;
}

function planLine({ content, status }: ContentBlockOf<'plan'>['entries'][number]): string {
  const state = status === 'in_progress' ? ' (in progress)' : status === 'cancelled' ? ' (cancelled)' : '';
  return `- [${status === 'completed' ? 'x' : ' '}] ${plainLine(content)}${state}`;
}

function folded(summary: string, body: readonly string[]): string {
  return ['<details>', `<summary>${htmlLine(summary)}</summary>`, '', body.join('\n\n'), '', '</details>'].join('\n');
}

function duration(startedAt: number, endedAt: number | undefined): string {
  if (endedAt === undefined || endedAt - startedAt < 1000) return '';
  return ` (${Math.round((endedAt - startedAt) / 1000)} s)`;
}

function time(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, 19);
}
