import { spawn } from 'node:child_process';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { FixableError } from '../backend/fixable-error.ts';
import { ScriptedBackend, type ScriptedOptions, type TurnScript } from '../backend/scripted-backend.fixture.ts';
import { type StdioAgentScript, stdioAgent } from '../backends/uap/stdio-agent.fixture.ts';
import { UapBackend } from '../backends/uap/uap-backend.ts';
import { checkAgent, type CheckAgentOptions } from './check-agent.ts';
import { type CheckReport, formatCheck } from './check-report.ts';
import { CHECK_RULES, type CheckRuleId } from './check-rules.ts';

const LIMITS = { quiet: 10, processes: 5000 };

test('an agent that speaks the protocol over stdio passes, and every rule is judged [UAP-01, UAP-17, UAP-38]', async () => {
  const setup = stdioAgent();
  const steps: string[] = [];

  const report = await checkAgent({
    create: () => new UapBackend(setup),
    cwd: tempFolder(),
    limits: LIMITS,
    report: (step) => steps.push(step),
  });

  expect(report.rules.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual(['streams-live']);
  expect(report.isConforming).toBe(true);
  expect(report.messages.map(({ role, content }) => [role, content[0]!.type])).toEqual([
    ['assistant', 'thinking'],
    ['assistant', 'tool_use'],
    ['user', 'tool_result'],
    ['assistant', 'text'],
  ]);
  expect(steps).toEqual([
    'starting the agent',
    'first prompt',
    'second prompt',
    'a prompt that is called off',
    'ending the agent',
    'resuming the session',
    'prompt after resuming',
    'ending the agent',
  ]);
});

const broken: [CheckRuleId, StdioAgentScript, string, Partial<CheckAgentOptions['limits']>?][] = [
  ['starts-in-time', { start: '' }, 'it took more than 0.3 s', { start: 300 }],
  ['readable-lines', inFirst(`say('Loading model…');`), 'it is no JSON'],
  ['deltas-to-open-blocks', inFirst(`say({ type: 'block-delta', blockId: 'b9', delta: 'x' });`), 'was never opened'],
  [
    'stop-equals-pieces',
    inFirst(`const place = at('assistant');
      say({ type: 'block-start', ...place, block: { type: 'text', text: '' } }, { type: 'block-delta', blockId: place.blockId, delta: 'one' },
        { type: 'block-stop', ...place, block: { type: 'text', text: 'two' } });`),
    'was streamed as text "one" and stopped as text "two"',
  ],
  [
    'unique-ids',
    inFirst(
      `for (const word of ['a', 'b']) say({ type: 'block-stop', ...at('assistant', 'same'), block: { type: 'text', text: word } });`,
    ),
    'is used again for another text',
  ],
  [
    'results-after-calls',
    inFirst(`whole('user', { type: 'tool_result', tool_use_id: 'ghost', content: '' });`),
    'is of ghost',
  ],
  [
    'roles-right',
    inFirst(`whole('user', { type: 'text', text: 'I am the model' });`),
    'a text block in a message of role user',
  ],
  [
    'blocks-closed',
    inFirst(`say({ type: 'block-start', ...at('assistant'), block: { type: 'text', text: 'and' } });`),
    'first prompt: the text block',
  ],
  [
    'calls-answered',
    inFirst(`whole('assistant', { type: 'tool_use', id: id('c'), name: 'ls', input: {} });`),
    'has no result',
  ],
  ['turn-ends', { finish: '' }, 'first prompt: it took more than 0.4 s', { turn: 400 }],
  [
    'turn-done',
    {
      finish: `say({ type: 'turn-finished', ...(turn === 1 ? { error: 'no model' } : { reason: isCancelled ? 'cancelled' : 'done' }) });`,
    },
    'first prompt: it ended with {"reason":"failed","error":{"code":"agent-failed","message":"no model"}}',
  ],
  [
    'says-something',
    { prompt: 'if (turn === 3) await untilCancelled(); else if (turn === 2) talk();' },
    'nothing was said',
  ],
  [
    'messages-valid',
    inFirst(`whole('assistant', { type: 'image', media_type: 'image/png' });`),
    'block of type image has neither data nor url',
  ],
  ['streams-live', inFirst(`text('long '.repeat(100));`), 'has 500 characters and came in 1 piece(s)'],
  [
    'approvals-answerable',
    inFirst(`void ask([{ id: 'n', name: 'No', kind: 'reject_once' }]);`),
    'has no option that allows',
  ],
  [
    'cancel-ends-turn',
    { prompt: `if (turn === 3) { text('busy'); await new Promise(() => {}); } talk();` },
    'did not end its turn when it was cancelled',
  ],
  [
    'resume-works',
    { start: `say({ type: 'ready', capabilities: { resume: true, approvals: true } });` },
    'resume is declared, but no agentSessionId was told',
  ],
];

test.each(broken)(
  'an agent that breaks only %s fails by that rule, and is told why [UAP-38]',
  async (rule, script, seen, limits) => {
    const setup = stdioAgent(script);
    const report = await checkAgent({
      create: () => new UapBackend(setup, rule === 'cancel-ends-turn' ? { cancelMs: 200 } : {}),
      cwd: tempFolder(),
      limits: { ...LIMITS, ...limits },
    });

    expect(verdict(report, rule)).toEqual(broke(rule, seen));
  },
);

const faulty: [CheckRuleId, (cwd: string) => ScriptedBackend, string][] = [
  [
    'capabilities-match',
    () => scripted({ capabilities: { modes: true } }),
    'modes is declared, and setMode() is not there',
  ],
  [
    'valid-events',
    () =>
      scripted({
        script: ({ session, writer }) => (writer.text('hm'), session.emit(JSON.parse('{"type":"block-stop"}'))),
      }),
    '{"type":"block-stop"}: messageId',
  ],
  [
    'approvals-once',
    () => {
      let turns = 0;
      const script: TurnScript = async ({ ask, writer }) => {
        if (++turns === 1) await ask('apr', 'May I?');
        writer.text('done');
      };
      return Object.assign(scripted({ script, capabilities: { resume: false } }), {
        answer: onlyOnce(),
        resume: undefined,
      });
    },
    'the second answer to apr: it failed: answered already',
  ],
  ['dispose-ends', () => scripted({ onDispose: throwAfterFirst() }), 'the second dispose(): it failed: I am gone'],
  [
    'silent-after-dispose',
    () => {
      let emit = () => {};
      return scripted({
        onStart: (session) => void (emit = () => session.emit({ type: 'agent-updated', title: 'late' })),
        onDispose: () => void setImmediate(() => emit()),
      });
    },
    'agent-updated was emitted after dispose()',
  ],
  ['no-process-left', (cwd) => scripted({ onStart: () => leaveProcess(cwd) }), 'sleep 60 (pid '],
];

test.each(faulty)(
  'a backend that breaks only %s fails by that rule, and is told why [UAP-17, UAP-38]',
  async (rule, create, seen) => {
    const cwd = tempFolder();

    const report = await checkAgent({ create: () => create(cwd), cwd, limits: { quiet: 20, processes: 100 } });

    expect(verdict(report, rule)).toEqual(broke(rule, seen));
  },
);

test('a check that is called off ends the agent and says so', async () => {
  const calls: string[] = [];
  const backend = scripted({
    script: () => new Promise<void>(() => {}),
    onDispose: () => void calls.push('disposed'),
  });
  const controller = new AbortController();

  const checking = checkAgent({
    create: () => backend,
    cwd: tempFolder(),
    signal: controller.signal,
    limits: LIMITS,
    report: (step) => step === 'first prompt' && setImmediate(() => controller.abort()),
  });

  await expect(checking).rejects.toMatchObject({ code: 'cancelled', message: 'the check was cancelled' });
  expect(calls).toEqual(['disposed', 'disposed']);
});

test('why an agent does not start or answer is told apart from the rules, with what to do and without keys', async () => {
  const checked = (options: ScriptedOptions) =>
    checkAgent({
      create: () => scripted(options),
      cwd: tempFolder(),
      limits: LIMITS,
      hide: (text) => text.replaceAll('sk-very-secret', '[KEY]'),
    });
  const fault = { code: 'unauthenticated', message: 'The key sk-very-secret is not known.', fix: 'agent login' };
  const told = { ...fault, message: 'The key [KEY] is not known.' };

  const notStarted = await checked({
    onStart: () => {
      throw new FixableError('unauthenticated', fault.message, fault.fix);
    },
  });
  const notAnswered = await checked({ script: () => ({ reason: 'failed', error: fault }) });
  const well = await checked({ script: ({ writer }) => writer.text('Here I am.') });

  expect([notStarted.problem, notAnswered.problem, well.problem]).toEqual([told, told, undefined]);
});

test('the table says of each rule how it stands, what was seen and how to mend it', async () => {
  const report = await checkAgent({
    create: () => scripted({ script: () => ({ reason: 'refused' }) }),
    cwd: tempFolder(),
    limits: LIMITS,
  });

  const lines = formatCheck(report).split('\n');
  expect(lines).toContain(
    'ok       turn-ends              A turn ends within the time limit, with a reason of the protocol.',
  );
  const at = lines.indexOf('FAILED   turn-done              A simple prompt is answered: the turn ends with "done".');
  expect(lines.slice(at + 1, at + 3).map((line) => line.trim())).toEqual([
    'seen: first prompt: it ended with {"reason":"refused"}',
    'seen: second prompt: it ended with {"reason":"refused"}',
  ]);
  expect(lines).toContain(`${' '.repeat(32)}mend: ${CHECK_RULES['turn-done'].mend}`);
  expect(lines.at(-1)).toMatch(/^The agent does not conform: \d+ kept, 1 broken, 0 warnings, \d+ not judged\.$/);
});

test('what the agent says does nothing to the terminal, and keys are not in the report', async () => {
  const message = 'no\u001b]0;owned\u0007 \u202eway, sk-very-secret';
  const report = await checkAgent({
    create: () => scripted({ script: () => Promise.reject(new Error(message)) }),
    cwd: tempFolder(),
    limits: LIMITS,
    hide: (text) => text.replaceAll('sk-very-secret', '[KEY]'),
  });

  expect(formatCheck(report)).toContain(String.raw`no\x1b]0;owned\x07 \u202eway, [KEY]`);
  expect(JSON.stringify(report)).not.toContain('sk-very-secret');
});

test('for each rule there is an agent that breaks it', () => {
  const covered = [...broken, ...faulty].map(([rule]) => rule);
  expect(covered.toSorted()).toEqual(Object.keys(CHECK_RULES).toSorted());
});

/** A good agent that does this before it goes on with its first turn. */
function inFirst(code: string): StdioAgentScript {
  return { prompt: `if (turn === 1) { ${code} } if (turn === 3) await untilCancelled(); else talk();` };
}

/** Which rules were broken and what was seen first, whether the agent fails, and whether it is told how to mend it. */
function verdict(report: CheckReport, rule: CheckRuleId) {
  const found = report.rules.filter(({ status }) => status === 'failed' || status === 'warning');
  return {
    broken: found.map(({ id, seen }) => [id, seen[0]]),
    isConforming: report.isConforming,
    tellsHow: formatCheck(report).includes(`mend: ${CHECK_RULES[rule].mend}`),
  };
}

/** What is expected of an agent that breaks this rule and no other. */
function broke(rule: CheckRuleId, seen: string) {
  return {
    broken: [[rule, expect.stringContaining(seen) as string]],
    isConforming: rule === 'streams-live',
    tellsHow: true,
  };
}

/** A backend whose capabilities tell what it has. */
function scripted(options: ScriptedOptions): ScriptedBackend {
  return new ScriptedBackend({
    ...options,
    capabilities: { resume: true, fork: true, steer: true, approvals: true, models: true, ...options.capabilities },
  });
}

function onlyOnce(): ScriptedBackend['answer'] {
  const answered = new Set<string>();
  return async function answer(this: ScriptedBackend, approvalId, reply) {
    if (answered.has(approvalId)) throw new Error('answered already');
    answered.add(approvalId);
    await ScriptedBackend.prototype.answer.call(this, approvalId, reply);
  };
}

function throwAfterFirst(): () => void {
  let count = 0;
  return () => {
    if (++count > 1) throw new Error('I am gone');
  };
}

function leaveProcess(cwd: string): void {
  const child = spawn('sleep', ['60'], { cwd, detached: true, stdio: 'ignore' });
  child.unref();
  onTestFinished(() => void child.kill('SIGKILL'));
}
