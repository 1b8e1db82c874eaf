import {
  type Call,
  describeToolCall,
  type Row,
  rowsOf,
  type SessionView,
  type ShownApproval,
} from '@dragoman/protocol';
import type { CardNode, FakeLark, FakeTelegram, SeenBlock, TelegramUser } from '@dragoman/testkit';
import type { Locator, Page } from 'playwright-core';

/** Something of a session as a person sees it, wherever they look. */
interface Seen {
  kind: 'prompt' | 'thinking' | 'text' | 'call' | 'diff' | 'output' | 'decision';
  /** How a call stands, whether something is folded, who said or decided it. */
  status: string;
  /** Without any markup. */
  text: string;
}

/** What a session is, in the same words as what is seen of it. What a change says is not said by its output again. */
export function tellView(view: SessionView): Seen[] {
  return rowsOf(view).flatMap(tellRow);
}

const TITLES: Readonly<Record<string, string>> = { bash: 'Run', edit: 'Edit' };

function tellRow(row: Row): Seen[] {
  switch (row.type) {
    case 'prompt':
      return [
        {
          kind: 'prompt',
          status: row.message.by?.type === 'user' ? `${row.message.by.name} (${row.message.by.channel})` : '',
          text: row.message.blocks.map(({ block }) => (block.type === 'text' ? block.text : block.type)).join('\n'),
        },
      ];
    case 'thinking':
      return [{ kind: 'thinking', status: 'folded', text: row.shown.block.thinking }];
    case 'text':
      return [{ kind: 'text', status: '', text: plain(row.shown.block.text.replaceAll(/[*`]/g, '')) }];
    case 'call':
      return tellCall(row.call);
    case 'turn-end':
      return [];
    default:
      throw new Error(`a ${row.type} is not told yet`);
  }
}

function tellCall({ use, result, tool, approvals }: Call): Seen[] {
  const { title, description } = describeToolCall(use.block.name, use.block.input);
  const diffs = result?.block.diffs ?? [];
  return piecesOf({
    title: `${TITLES[title]} ${description}`,
    status: tool?.status ?? '',
    diff: diffs.map(({ unified }) => unified).join('\n'),
    output: result?.block.content ?? '',
    decisions: approvals.map(decisionOf),
  });
}

function decisionOf({ decided, options }: ShownApproval): string {
  if (decided?.reply.type !== 'selected' || decided.by.type !== 'user') return 'none';
  const { optionId } = decided.reply;
  return `${options.find(({ id }) => id === optionId)!.name} · ${decided.by.name} (${decided.by.channel})`;
}

/** A call, however it was found. */
interface FoundCall {
  title: string;
  status: string;
  diff: string;
  output: string;
  decisions: string[];
}

function piecesOf({ title, status, diff, output, decisions }: FoundCall): Seen[] {
  const changes = diff.split('\n').filter((line) => /^[+-](?![+-])/.test(line));
  const said = output.trim();
  return [
    { kind: 'call', status, text: title },
    ...(changes.length > 0 ? [{ kind: 'diff', status: '', text: changes.join('\n') } as const] : []),
    ...(changes.length === 0 && said !== '' ? [{ kind: 'output', status: '', text: said } as const] : []),
    ...decisions.map((decision): Seen => {
      const [text = '', by = ''] = decision.split(' · ');
      return { kind: 'decision', status: by, text };
    }),
  ];
}

/** Lines with something on them, without the marks of a list. */
function plain(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^[-•◦*] /, ''))
    .filter((line) => line !== '')
    .join('\n');
}

const TELEGRAM_STATUS: Readonly<Record<string, string>> = {
  '⏳': 'Running',
  '⏸': 'Waiting',
  '✅': 'Success',
  '❌': 'Error',
  '⏹': 'Interrupted',
};

/** What a private chat on Telegram shows of its session, from this prompt on. What its owner wrote is there in their own words. */
export function seenInTelegram(telegram: FakeTelegram, person: TelegramUser, user: string): Seen[] {
  const messages = telegram.messagesIn(person);
  return messages.flatMap(({ isFromBot, text, blocks }): Seen[] => {
    if (!isFromBot) return text.startsWith('/') ? [] : [{ kind: 'prompt', status: `${user} (telegram)`, text }];
    return text.includes('✓ Done') || text.includes('⏳ Working') ? seenInMessage(blocks) : [];
  });
}

function seenInMessage(blocks: readonly SeenBlock[]): Seen[] {
  const seen: Seen[] = [];
  let call: FoundCall | undefined;
  let words: string[] = [];
  const end = () => {
    if (call !== undefined) seen.push(...piecesOf(call));
    const text = plain(words.join('\n'));
    if (text !== '') seen.push({ kind: 'text', status: '', text });
    [call, words] = [undefined, []];
  };
  for (const { kind, text } of blocks) {
    if (kind === 'folded-quote' && text.startsWith('💭')) {
      end();
      seen.push({ kind: 'thinking', status: 'folded', text: text.slice(text.indexOf('\n') + 1) });
    } else if (kind === 'folded-quote') call!.output = text;
    else if (kind === 'pre') call!.diff = text;
    else if (kind === 'quote') {
      end();
      const [, by = '', said = ''] = /^(.+?): (.*)$/s.exec(text) ?? [];
      seen.push({ kind: 'prompt', status: by, text: said });
    } else
      for (const line of text.split('\n')) {
        const [, mark = '', title = ''] = /^(⏳|⏸|✅|❌|⏹) (.+?)(?: · .*)?$/.exec(line) ?? [];
        if (/^(?:✓ Done|⏳ Working)/.test(line)) end();
        else if (mark !== '') {
          end();
          call = { title, status: TELEGRAM_STATUS[mark]!, diff: '', output: '', decisions: [] };
        } else if (/^ {6}📝 /.test(line)) continue;
        else if (/^ {6}/.test(line)) call!.decisions.push(line.trim());
        else if (line !== '') {
          if (call !== undefined) end();
          words.push(line);
        }
      }
  }
  end();
  return seen;
}

/** What a chat on Lark shows of its session: the cards of its answers. */
export function seenInLark(lark: FakeLark, chatId: string): Seen[] {
  return lark.messagesIn(chatId).flatMap(({ card }) => {
    const isAnswer =
      card !== undefined && card.title === '' && card.lines.some((line) => /^(?:✅ Done|⏳ Work)/.test(line));
    return isAnswer ? card.tree.flatMap(seenInNode) : [];
  });
}

function seenInNode(node: CardNode): Seen[] {
  const { tag, text, isExpanded, children } = node;
  if (tag === 'collapsible_panel') {
    if (text.startsWith('💭')) {
      const status = isExpanded === true ? 'open' : 'folded';
      return [{ kind: 'thinking', status, text: children.map((child) => child.text).join('\n') }];
    }
    return seenInPanel(node);
  }
  if (tag !== 'markdown' || /^(?:✅ Done|⏳ Work)/.test(text)) return [];
  const [, by, said] = /^> 👤 (.+)\n> (.*)$/s.exec(text) ?? [];
  if (by !== undefined) return [{ kind: 'prompt', status: by, text: said! }];
  return [{ kind: 'text', status: '', text: plain(text) }];
}

function seenInPanel({ text, children }: CardNode): Seen[] {
  const [title = '', status = ''] = text.replace(/^\S+ /, '').split(' · ');
  const found: FoundCall = { title, status, diff: '', output: '', decisions: [] };
  for (const child of children) {
    if (child.text.startsWith('👤 ')) found.decisions.push(child.text.slice('👤 '.length));
    else if (/^@@ /m.test(child.text)) found.diff += child.text;
    else if (child.elementId?.startsWith('o_') === true) found.output = child.text;
  }
  return piecesOf(found);
}

const PAGE_STATUS: Readonly<Record<string, string>> = {
  Running: 'Running',
  'Waiting for you': 'Waiting',
  Done: 'Success',
  Failed: 'Error',
};

/** What the console shows of the session that is open. What is folded is opened to be read, and folded again. */
export async function seenInPage(page: Page): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const row of await page.getByRole('log').locator('[data-row]').all()) seen.push(...(await seenInRow(row)));
  return seen;
}

async function seenInRow(row: Locator): Promise<Seen[]> {
  const piece = row.locator('[data-piece]').first();
  if ((await piece.count()) > 0) return seenInPiece(piece);
  if ((await row.getByRole('article').count()) === 0) return [];
  const text = await row.innerText();
  if (!text.startsWith('Prompt by ')) return [{ kind: 'text', status: '', text: plain(text) }];
  const [head = '', ...said] = text.split('\n\n');
  const name = head.split('\n')[1];
  const channel = /^via (.+)$/m.exec(head)?.[1] ?? 'web';
  return [{ kind: 'prompt', status: `${name} (${channel})`, text: said.join('\n\n') }];
}

async function seenInPiece(piece: Locator): Promise<Seen[]> {
  const line = piece.getByRole('button').first();
  const isFolded = (await line.getAttribute('aria-expanded')) === 'false';
  const [verb = '', subject = '', ...facts] = (await line.innerText()).split('\n');
  if (isFolded) await line.click();
  const text = await piece.innerText();
  if (isFolded) await line.click();
  const body = text.slice(text.indexOf('\n\n')).trim();
  if (/^Th(?:ought|inking)/.test(verb)) return [{ kind: 'thinking', status: isFolded ? 'folded' : 'open', text: body }];
  const lines = body.split('\n');
  const diff = lines.flatMap((row) => {
    const [, sign, code] = /^\d*\t\d*\t([+−])\t(.*)$/.exec(row) ?? [];
    return sign === undefined ? [] : [`${sign === '+' ? '+' : '-'}${code}`];
  });
  return piecesOf({
    title: `${verb} ${subject}`,
    status: PAGE_STATUS[facts.at(-1) ?? ''] ?? '',
    diff: diff.join('\n'),
    output: body.split('\nOutput\n')[1] ?? '',
    decisions: lines.flatMap((row) => /^(.+ · .+?) (?:just now|\d.* ago)$/.exec(row)?.[1] ?? []),
  });
}
