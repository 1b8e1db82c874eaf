/* A stand-in for `codex app-server`, with the message shapes of its documentation. A prompt that is a JSON list is a script;
   `_$` in it is an id that is new in each turn. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;

/** One thing that the fake does in a turn. */
export interface Step {
  /** An item from its beginning to its end, with its pieces between. */
  item?: Json;
  /** The item only begins. */
  begin?: Json;
  /** The item only ends. */
  complete?: Json;
  /** Pieces of output between beginning and end. */
  output?: string[];
  /** The thread that the item belongs to, where it is one of another agent. */
  thread?: string;
  /** Any notification. */
  notify?: [method: string, params: Json];
  /** Asks the client, and does `onYes` when it is not told no. */
  ask?: [method: string, params: Json];
  onYes?: Step[];
  /** What is done when it is told no. */
  onNo?: Step[];
  /** Goes on without an answer. */
  isForgotten?: true;
  raw?: string;
  stderr?: string;
  exit?: number;
  /** Waits to be interrupted. */
  hang?: true;
  /** Waits for ever and does not hear that it is interrupted. */
  deaf?: true;
  /** Waits for more of the user, and says it back. */
  listen?: true;
  /** Fields of the turn when it is over. */
  end?: Json;
}

/** What the fake is like. */
export interface FakeOffer {
  account?: Json | null;
  models?: Json[];
  /** What a thread is opened with beside its id. */
  opened?: Json;
  /** What a thread that is gone on with took so far. */
  tokenUsage?: Json;
}

type Message = { id?: number; method?: string; params?: Json; result?: Json; error?: Json };

function serve(): void {
  const offer = JSON.parse(process.env['FAKE_CODEX'] ?? '{}') as FakeOffer;
  const state = process.env['FAKE_CODEX_STATE']!;
  const waiting = new Map<number, (message: Message) => void>();
  const history = (threadId: string) => join(state, `${threadId}.log`);
  const note = (line: object) => appendFileSync(join(state, 'heard.log'), `${JSON.stringify(line)}\n`);
  // The version is left out on this wire.
  const send = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
  const notify = (method: string, params: Json) => send({ method, params });
  let [threadId, turnId, lastId] = ['', '', 100];
  let [isReady, isInterrupted] = [false, false];
  let interrupt = () => {};
  let steered: ((text: string) => void) | undefined;
  const steers: string[] = [];
  note({ argv: process.argv.slice(2) });

  function showItem({ item = {}, output = [], thread = threadId }: Step): void {
    const about = { threadId: thread, turnId };
    const itemId = item['id'];
    notify('item/started', { ...about, startedAtMs: 1, item: beginning(item) });
    for (const [method, params] of pieces(item, output)) notify(method, { ...about, itemId, ...params });
    notify('item/completed', { ...about, completedAtMs: 2, item });
  }

  async function ask(step: Step): Promise<void> {
    const [method, params] = step.ask!;
    const id = ++lastId;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params: { threadId: step.thread ?? threadId, turnId, startedAtMs: 1, ...params } });
    if (step.isForgotten === true) return;
    const { result, error } = await answer;
    note({ answered: result ?? error });
    notify('serverRequest/resolved', { threadId, requestId: id });
    const isNo = error !== undefined || ['decline', 'cancel'].includes(String(result?.['decision']));
    for (const each of (isNo ? step.onNo : step.onYes) ?? []) await run(each);
  }

  async function run(step: Step): Promise<void> {
    const about = { threadId: step.thread ?? threadId, turnId };
    if (step.item !== undefined) showItem(step);
    if (step.begin !== undefined) notify('item/started', { ...about, item: step.begin });
    if (step.complete !== undefined) notify('item/completed', { ...about, item: step.complete });
    if (step.notify !== undefined) notify(step.notify[0], { ...about, ...step.notify[1] });
    if (step.raw !== undefined) process.stdout.write(`${step.raw}\n`);
    if (step.stderr !== undefined) process.stderr.write(step.stderr);
    if (step.ask !== undefined) await ask(step);
    if (step.exit !== undefined) process.exit(step.exit);
    if (step.deaf === true) await new Promise(() => {});
    if (step.hang === true && !isInterrupted) await new Promise<void>((resolve) => (interrupt = resolve));
    if (step.listen === true) {
      const text = steers.shift() ?? (await new Promise<string>((resolve) => (steered = resolve)));
      showItem({ item: { type: 'agentMessage', id: randomUUID(), text: `Also: ${text}` } });
    }
  }

  async function turn(input: Json[], id: number): Promise<void> {
    turnId = randomUUID();
    isInterrupted = false;
    const text = input.map((each) => (each['text'] as string | undefined) ?? '').join('');
    const begun = { id: turnId, items: [], status: 'inProgress', error: null };
    send({ id, result: { turn: begun } });
    notify('turn/started', { threadId, turn: begun });
    showItem({ item: { type: 'userMessage', id: randomUUID(), clientId: null, content: input } });
    const before = readFileSync(history(threadId), 'utf8').trim().split('\n').filter(Boolean);
    appendFileSync(history(threadId), `${text.split('\n')[0]}\n`);
    const echo = `You said "${text}", and before: ${JSON.stringify(before)}`;
    const steps = text.startsWith('[{') ? (JSON.parse(text.replaceAll('_$', `_${randomUUID()}`)) as Step[]) : undefined;
    let end: Json = { status: 'completed', error: null };
    for (const step of steps ?? [{ item: { type: 'agentMessage', id: randomUUID(), text: echo } }]) {
      await run(step);
      end = { ...end, ...step.end };
      if (isInterrupted) break;
    }
    if (isInterrupted) end = { status: 'interrupted', error: null };
    notify('turn/completed', { threadId, turn: { id: turnId, items: [], ...end } });
    turnId = '';
  }

  function open({ id, method, params }: Message): void {
    const source = params?.['threadId'] as string | undefined;
    if (source !== undefined && !existsSync(history(source)))
      return void send({ id, error: { code: -32600, message: `no rollout found for thread id ${source}` } });
    threadId = method === 'thread/resume' ? source! : randomUUID();
    if (method !== 'thread/resume')
      writeFileSync(history(threadId), source === undefined ? '' : readFileSync(history(source)));
    const thread = { id: threadId, preview: '', modelProvider: 'openai', createdAt: 1, turns: [] };
    const opened = {
      model: 'gpt-test',
      approvalPolicy: 'on-request',
      sandbox: { type: 'workspaceWrite' },
      ...offer.opened,
    };
    send({ id, result: { thread, ...opened } });
    notify('thread/started', { thread });
    if (offer.tokenUsage !== undefined)
      notify('thread/tokenUsage/updated', { threadId, turnId: 'old', tokenUsage: offer.tokenUsage });
  }

  function receive(message: Message): void {
    const { id, method, params = {} } = message;
    if (method === undefined) return waiting.get(id!)?.(message);
    note({ method, params });
    const answer = (result: Json) => void send({ id, result });
    const refuse = (text: string) => void send({ id, error: { code: -32600, message: text } });
    if (method === 'initialized') return void (isReady = true);
    if (!isReady && method !== 'initialize') return refuse('Not initialized');
    switch (method) {
      case 'initialize':
        return answer({ userAgent: 'codex/0 (fake)', codexHome: state, platformFamily: 'unix', platformOs: 'linux' });
      case 'account/read': {
        const account = offer.account === undefined ? { type: 'apiKey' } : offer.account;
        return answer({ account, requiresOpenaiAuth: true });
      }
      case 'model/list':
        return answer({ data: offer.models ?? [], nextCursor: null });
      case 'thread/start':
      case 'thread/resume':
      case 'thread/fork':
        return open(message);
      case 'turn/start':
        return void turn(params['input'] as Json[], id!);
      case 'turn/interrupt':
        isInterrupted = true;
        answer({});
        return interrupt();
      case 'turn/steer': {
        if (turnId === '' || params['expectedTurnId'] !== turnId) return refuse('no active turn to steer');
        const text = (params['input'] as Json[]).map((each) => String(each['text'])).join('');
        answer({ turnId });
        if (steered === undefined) steers.push(text);
        else steered(text);
        return;
      }
      default:
        return refuse(`unknown method ${method}`);
    }
  }

  createInterface({ input: process.stdin })
    .on('line', (line) => receive(JSON.parse(line) as Message))
    .on('close', () => process.exit(0));
}

/** An item as it is told when it begins. */
function beginning(item: Json): Json {
  switch (item['type']) {
    case 'agentMessage':
    case 'plan':
      return { ...item, text: '' };
    case 'reasoning':
      return { ...item, summary: [], content: [] };
    case 'commandExecution':
      return { ...item, status: 'inProgress', aggregatedOutput: null, exitCode: null };
    case 'dynamicToolCall':
      return { ...item, status: 'inProgress', contentItems: null, success: null };
    case 'mcpToolCall':
      return { ...item, status: 'inProgress', result: null, error: null };
    default:
      return 'status' in item ? { ...item, status: 'inProgress' } : item;
  }
}

/** What is told of it between its beginning and its end. */
function pieces(item: Json, output: readonly string[]): [method: string, params: Json][] {
  const cut = (text: string) => text.split(/(?<=\s)/);
  switch (item['type']) {
    case 'agentMessage':
      return cut(String(item['text'])).map((delta) => ['item/agentMessage/delta', { delta }]);
    case 'reasoning':
      return (item['summary'] as string[]).flatMap((text, summaryIndex): [string, Json][] => [
        ['item/reasoning/summaryPartAdded', { summaryIndex }],
        ...cut(text).map((delta): [string, Json] => ['item/reasoning/summaryTextDelta', { delta, summaryIndex }]),
      ]);
    case 'commandExecution':
      return output.map((delta) => ['item/commandExecution/outputDelta', { delta }]);
    default:
      return [];
  }
}

if (process.argv[1] === import.meta.filename) serve();
