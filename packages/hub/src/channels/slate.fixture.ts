import type { Call, Row, SessionPart } from '@dragoman/protocol';
import { awayText } from './away-words.ts';
import type {
  Channel,
  ChannelHost,
  ChannelKind,
  ChannelRenderer,
  Delivery,
  Language,
  Post,
  Receipt,
  Scene,
} from './channel.ts';
import { DeliveryError, type DeliveryProblem } from './delivery-error.ts';

/** What a slate message says, and which buttons it has. */
export interface SlateBody {
  text: string;
  buttons: readonly string[];
}

/** A message on the slate. */
export interface SlateMessage {
  id: string;
  nonce: string;
  body: SlateBody;
  /** What its buttons carry. */
  data: readonly string[];
  replyTo: string | undefined;
  edits: number;
  isDeleted: boolean;
}

/** How a call goes wrong: before anything happened, after it did, or never to come back. */
export type SlateFault =
  | { when: 'before' | 'after'; problem: DeliveryProblem; message?: string }
  | { when: 'hang' }
  /** Goes on when the test says so. */
  | { when: 'held'; until: Promise<unknown> };

/** One call of the channel. */
export interface SlateCall {
  chatId: string;
  key: string;
  text: string;
  type: 'send' | 'edit' | 'draft';
  at: number;
}

/** The most a message holds. */
export const SLATE_CHARS = 120;

/**
 * A platform that is a few lists. It forgets nothing when the hub does, finds a message again by its nonce only when it is
 * asked to, and fails as the test wants.
 */
export class Slate {
  readonly chats = new Map<string, SlateMessage[]>();
  readonly calls: SlateCall[] = [];
  /** Text that is only there for the moment. */
  readonly drafts = new Map<string, string>();
  /** Called for each delivery; what comes back goes wrong. */
  fault: (call: SlateCall) => SlateFault | undefined = () => undefined;
  paceMs = 1_000;
  /** What is not final is a draft as long as it is the last. */
  hasDrafts = false;
  opened = 0;
  closed = 0;
  /** How often an admin was said to be at work on the set-up. */
  setupsExpected = 0;
  listening = 0;
  host: ChannelHost | undefined;
  #next = 1;

  /** The kind of channel that writes on it. */
  get kind(): ChannelKind {
    return {
      name: 'slate',
      title: 'Slate',
      guide: () => ({ steps: ['Take a slate.'], fields: [] }),
      open: async (_settings, host) => {
        this.opened += 1;
        this.host = host;
        return new SlateChannel(this, host);
      },
    };
  }

  messages(chatId: string): SlateMessage[] {
    let list = this.chats.get(chatId);
    if (list === undefined) this.chats.set(chatId, (list = []));
    return list;
  }

  /** What can be read in a chat. */
  texts(chatId: string): string[] {
    return this.messages(chatId).flatMap(({ isDeleted, body }) => (isDeleted ? [] : [body.text]));
  }

  nextId(): string {
    return `m${this.#next++}`;
  }
}

class SlateChannel implements Channel<SlateBody> {
  readonly renderer = slateRenderer;
  readonly #slate: Slate;
  readonly #host: ChannelHost;
  readonly #inFlight = new Set<string>();
  #isListening = false;

  constructor(slate: Slate, host: ChannelHost) {
    this.#slate = slate;
    this.#host = host;
  }

  async deliver(delivery: Delivery<SlateBody>): Promise<Receipt> {
    const { chat, post, before, signal } = delivery;
    if (this.#inFlight.has(chat.chatId)) throw new Error(`Two requests of ${chat.chatId} at once.`);
    this.#inFlight.add(chat.chatId);
    try {
      const isEdit = before?.receipt.isLasting === true;
      const isDraft = this.#slate.hasDrafts && !isEdit && !post.isFinal && delivery.isLast;
      const call: SlateCall = {
        chatId: chat.chatId,
        key: post.key,
        text: post.body.text,
        type: isEdit ? 'edit' : isDraft ? 'draft' : 'send',
        at: this.#host.now(),
      };
      this.#slate.calls.push(call);
      const fault = this.#slate.fault(call);
      if (fault?.when === 'hang') await untilAborted(signal);
      if (fault?.when === 'held') await Promise.race([fault.until, untilAborted(signal)]);
      if (fault?.when === 'before')
        throw new DeliveryError(fault.problem, fault.message ?? 'The slate is out of chalk.');
      await new Promise(setImmediate);
      signal.throwIfAborted();
      const receipt = isEdit ? this.#edit(delivery) : isDraft ? this.#draft(delivery) : this.#send(delivery);
      if (fault?.when === 'after') throw new DeliveryError(fault.problem, fault.message ?? 'The chalk broke.');
      return receipt;
    } finally {
      this.#inFlight.delete(chat.chatId);
    }
  }

  #edit(delivery: Delivery<SlateBody>): Receipt {
    const { receipt } = delivery.before!;
    const found = this.#slate.messages(delivery.chat.chatId).find(({ id }) => id === receipt.messageId);
    if (found === undefined || found.isDeleted) throw new DeliveryError({ type: 'gone' }, 'It was wiped off.');
    found.body = delivery.post.body;
    found.data = dataOf(delivery);
    found.edits += 1;
    return receipt;
  }

  #draft({ chat, post }: Delivery<SlateBody>): Receipt {
    this.#slate.drafts.set(chat.chatId, post.body.text);
    return { isLasting: false };
  }

  #send(delivery: Delivery<SlateBody>): Receipt {
    const { chat, post, nonce, uncertain, replyTo } = delivery;
    const messages = this.#slate.messages(chat.chatId);
    this.#slate.drafts.delete(chat.chatId);
    const since = typeof uncertain?.hint === 'number' ? uncertain.hint : Infinity;
    const found = messages.find((message, index) => index >= since && message.nonce === nonce);
    if (found !== undefined) {
      [found.body, found.data] = [post.body, dataOf(delivery)];
      return { messageId: found.id, isLasting: true };
    }
    const id = this.#slate.nextId();
    messages.push({ id, nonce, body: post.body, data: dataOf(delivery), replyTo, edits: 0, isDeleted: false });
    return { messageId: id, isLasting: true };
  }

  hintOf({ chatId }: Delivery<SlateBody>['chat']) {
    return this.#slate.messages(chatId).length;
  }

  paceMs() {
    return this.#slate.paceMs;
  }

  async listen() {
    this.#isListening = true;
    this.#slate.listening += 1;
    this.#host.tell({ type: 'on' });
  }

  async receive({ body }: { body: Buffer }) {
    return { status: 202, body: { bytes: body.length, text: body.toString() } };
  }

  bot() {
    return { name: 'slate-bot' };
  }

  async check() {
    return [];
  }

  expectSetup() {
    this.#slate.setupsExpected += 1;
  }

  async close() {
    this.#slate.closed += 1;
    if (this.#isListening) this.#slate.listening -= 1;
  }
}

function dataOf({ post, actionData }: Delivery<SlateBody>): string[] {
  return post.body.buttons.map((_, index) => actionData(index));
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

const WITHDRAWN: Record<Language, string> = { en: '(taken back)', zh: '（已撤回）' };

/** Rows as plain lines, cut where a message is full. */
export const slateRenderer: ChannelRenderer<SlateBody> = {
  part(part: SessionPart, scene: Scene) {
    const lines = part.rows.flatMap((row) => lineOf(row, scene) ?? []);
    if (scene.away !== undefined) lines.push(`! ${awayText(scene.away, scene.language, { isRunning: true })}`);
    const text = lines.join('\n');
    const posts: Omit<Post<SlateBody>, 'isFinal'>[] = [];
    for (let from = 0; from < text.length; from += SLATE_CHARS) {
      const key = posts.length === 0 ? `part ${part.key}` : `part ${part.key} ${posts.length + 1}`;
      posts.push({ key, body: { text: text.slice(from, from + SLATE_CHARS), buttons: [] }, actions: [] });
    }
    return posts;
  },
  approval(approval, { view }) {
    const { decided, options, id, title } = approval;
    const key = `approval ${id}`;
    if (decided !== undefined) {
      const by = decided.by.type === 'user' ? decided.by.name : decided.by.type;
      const answer = decided.reply.type === 'selected' ? decided.reply.optionId : decided.reply.type;
      return { key, body: { text: `? ${title}: ${answer} by ${by}`, buttons: [] }, actions: [] };
    }
    const sessionId = view.info.id;
    return {
      key,
      body: { text: `? ${title}`, buttons: options.map(({ name }) => name) },
      actions: options.map((option) => ({ type: 'decide', sessionId, approvalId: id, optionId: option.id })),
    };
  },
  note({ text, buttons = [] }) {
    const all = buttons.flat();
    return { body: { text, buttons: all.map(({ label }) => label) }, actions: all.map(({ action }) => action) };
  },
  withdrawn: (language) => ({ body: { text: WITHDRAWN[language], buttons: [] }, actions: [] }),
};

function lineOf(row: Row, { ownPrompts }: Scene): string | undefined {
  switch (row.type) {
    case 'prompt': {
      if (ownPrompts.has(row.message.id)) return undefined;
      const text = row.message.blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])).join(' ');
      return `> ${text}`;
    }
    case 'text':
      return row.shown.block.text;
    case 'call':
      return callLine(row.call);
    case 'calls':
      return row.calls.map(callLine).join(' ');
    case 'turn-end':
      return `-- ${row.turn.reason}`;
    default:
      return undefined;
  }
}

function callLine({ use, tool }: Call): string {
  return `[${use.block.name} ${tool?.status}]`;
}
