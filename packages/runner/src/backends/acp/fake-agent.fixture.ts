/**
 * An agent that speaks ACP and does what the prompt says, as a program of its own.
 *
 * A prompt that is a JSON list is a script, one step after the other; any other text is said back, with everything that was
 * said before. `FAKE_ACP` in the environment holds what it offers; `FAKE_ACP_STATE` names a folder where conversations are
 * kept, so that another process can go on with them.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One thing that the agent does in a turn. */
export interface Step {
  /** Tells an update. */
  update?: Record<string, unknown>;
  /** Asks for permission, and says what was answered. */
  ask?: Record<string, unknown>;
  /** With `ask`: goes on without the answer. */
  isImpatient?: true;
  /** Asks something else of the client, and says what was answered. `$terminal` in it is the terminal of before. */
  call?: [method: string, params: Record<string, unknown>];
  /** Prints a line as it is. */
  raw?: string;
  stderr?: string;
  exit?: number;
  /** Waits to be called off. */
  hang?: true;
  /** Waits for ever, and does not hear that it is called off. */
  deaf?: true;
  /** Fails the turn. */
  error?: { code: number; message: string; data?: unknown };
  /** Ends the turn; `end_turn` where no step says otherwise. */
  stop?: string;
  usage?: Record<string, number>;
  /** Told after the turn is over. */
  after?: Record<string, unknown>;
}

/** What the agent offers. */
export interface FakeOffer {
  capabilities?: Record<string, unknown>;
  authMethods?: Record<string, unknown>[];
  protocolVersion?: number;
  /** What a session is opened with beside its id. */
  session?: Record<string, unknown>;
  /** Sessions are refused until `authenticate` was called with one of `authIds`. */
  refusal?: { code: number; message: string; data?: unknown };
  authIds?: string[];
  /** Told while a session is opened. */
  opening?: Record<string, unknown>[];
  /** The history of a loaded session comes after the answer. */
  tellsHistoryLate?: boolean;
}

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown };

function serve(): void {
  const offer = JSON.parse(process.env['FAKE_ACP'] ?? '{}') as FakeOffer;
  const state = process.env['FAKE_ACP_STATE'];
  const waiting = new Map<number, (message: Message) => void>();
  let isLoggedIn = offer.refusal === undefined;
  let lastId = 0;
  let callOff = () => {};
  let isCalledOff = false;
  let terminalId = '';

  const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const update = (sessionId: string, told: object) =>
    send({ method: 'session/update', params: { sessionId, update: told } });
  const say = (sessionId: string, text: string) =>
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const request = (method: string, params: object) =>
    new Promise<Message>((resolve) => {
      waiting.set(++lastId, resolve);
      send({ id: lastId, method, params });
    });
  const log = (sessionId: string) => join(state ?? '.', `${sessionId}.log`);
  const note = (line: object) => {
    if (state !== undefined) appendFileSync(join(state, 'heard.log'), `${JSON.stringify(line)}\n`);
  };

  async function runStep(step: Step, sessionId: string): Promise<object | undefined> {
    if (step.update !== undefined)
      update(sessionId, JSON.parse(JSON.stringify(step.update).replaceAll('$terminal', terminalId)) as object);
    if (step.raw !== undefined) process.stdout.write(`${step.raw}\n`);
    if (step.stderr !== undefined) process.stderr.write(`${step.stderr}\n`);
    if (step.ask !== undefined) {
      const asking = request('session/request_permission', { sessionId, ...step.ask });
      const answered = asking.then(({ result, error }) =>
        say(sessionId, `answered ${JSON.stringify(result ?? error)}`),
      );
      if (step.isImpatient !== true) await answered;
    }
    if (step.call !== undefined) {
      const [method, params] = JSON.parse(JSON.stringify(step.call).replaceAll('$terminal', terminalId)) as [
        string,
        object,
      ];
      const answer = await request(method, { sessionId, ...params });
      const result = answer.result as { terminalId?: string } | undefined;
      if (result?.terminalId !== undefined) terminalId = result.terminalId;
      else say(sessionId, `${method} ${JSON.stringify(answer.result ?? answer.error)}\n`);
    }
    if (step.exit !== undefined) process.exit(step.exit);
    if (step.deaf === true) await new Promise(() => {});
    if (step.hang === true) {
      if (!isCalledOff) await new Promise<void>((resolve) => (callOff = resolve));
      return { result: { stopReason: 'cancelled' } };
    }
    if (step.error !== undefined) return { error: step.error };
    if (step.stop !== undefined) return { result: { stopReason: step.stop, usage: step.usage } };
    return undefined;
  }

  async function prompt({ id, params }: Message): Promise<void> {
    const { sessionId, prompt: blocks } = params as { sessionId: string; prompt: { type: string; text: string }[] };
    note({ prompt: blocks });
    isCalledOff = false;
    const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const steps = text.startsWith('[{') ? (JSON.parse(text) as Step[]) : undefined;
    if (steps === undefined) {
      const said = existsSync(log(sessionId)) ? readFileSync(log(sessionId), 'utf8') : '';
      const before = said.split('\n').filter(Boolean);
      appendFileSync(log(sessionId), `${text}\n`);
      say(sessionId, `You said "${text}", and before: ${JSON.stringify(before)}`);
    }
    for (const step of steps ?? []) {
      const end = await runStep(step, sessionId);
      if (end === undefined) continue;
      send({ id, ...end });
      return;
    }
    send({ id, result: { stopReason: 'end_turn' } });
    for (const { after } of steps ?? []) if (after !== undefined) update(sessionId, after);
  }

  function open({ id, method, params }: Message): void {
    if (!isLoggedIn) return void send({ id, error: offer.refusal });
    const source = (params as { sessionId?: string }).sessionId;
    const isNew = method === 'session/new' || method === 'session/fork';
    const sessionId = isNew ? `ses-${process.pid}-${Date.now()}` : source!;
    if (state !== undefined && method === 'session/fork')
      writeFileSync(log(sessionId), existsSync(log(source!)) ? readFileSync(log(source!)) : '');
    if (state !== undefined && !isNew && !existsSync(log(source!)))
      return void send({ id, error: { code: -32002, message: `there is no session ${source}` } });
    if (state !== undefined && method === 'session/new') writeFileSync(log(sessionId), '');
    const tellHistory = () => {
      if (method !== 'session/load' && method !== 'session/fork') return;
      update(sessionId, { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old prompt' } });
      update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'call_1', title: 'old call', status: 'completed' });
      say(sessionId, 'old answer');
    };
    if (offer.tellsHistoryLate !== true) tellHistory();
    for (const told of offer.opening ?? []) update(sessionId, told);
    send({ id, result: { ...(isNew ? { sessionId } : {}), ...offer.session } });
    if (offer.tellsHistoryLate === true) setImmediate(tellHistory);
  }

  function receive(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) return waiting.get(id!)?.(message);
    note({ method, params });
    switch (method) {
      case 'initialize':
        return void send({
          id,
          result: {
            protocolVersion: offer.protocolVersion ?? 1,
            agentCapabilities: offer.capabilities ?? {},
            authMethods: offer.authMethods ?? [],
          },
        });
      case 'authenticate':
        isLoggedIn = offer.authIds?.includes(String(params?.['methodId'])) === true;
        return void send(isLoggedIn ? { id, result: {} } : { id, error: { code: -32000, message: 'no' } });
      case 'session/new':
      case 'session/load':
      case 'session/resume':
      case 'session/fork':
        return open(message);
      case 'session/prompt':
        return void prompt(message);
      case 'session/cancel':
        isCalledOff = true;
        return callOff();
      case 'session/set_mode':
      case 'session/set_model':
        return void send({ id, result: {} });
      case 'session/set_config_option':
        return void send({ id, result: { configOptions: chosen(offer, params!) } });
      default:
        return void send({ id, error: { code: -32601, message: `no method ${method}` } });
    }
  }

  createInterface({ input: process.stdin })
    .on('line', (line) => receive(JSON.parse(line) as Message))
    .on('close', () => process.exit(0));
}

function chosen(offer: FakeOffer, { configId, value }: Record<string, unknown>): unknown[] {
  const options = (offer.session?.['configOptions'] ?? []) as Record<string, unknown>[];
  return options.map((option) => (option['id'] === configId ? { ...option, currentValue: value } : option));
}

if (process.argv[1] === import.meta.filename) serve();
