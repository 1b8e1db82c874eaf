import type { RunnerEvent } from '@dragoman/protocol';
import { fakeLark } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { ChannelKind } from '../channels/channel.ts';
import { ManualClock, passUntil, standsWhileTalking } from '../channels/manual-clock.fixture.ts';
import { openHubDoor } from '../hub-door.fixture.ts';
import { larkChannel } from './lark-channel.ts';
import { UNLIMITED } from './lark-channel.fixture.ts';
import { larkConfigSchema, type LarkSettings } from './lark-config.ts';
import { openLark } from './open-lark.ts';

/** A press is answered with what came of it, however busy the machine is. */
const patientLark: ChannelKind = {
  ...larkChannel,
  open: (settings, host) => openLark(settings as LarkSettings, host, { pressMs: 60_000 }),
};

const block = (blockId: string, content: Extract<RunnerEvent, { type: 'block-stop' }>['block']): RunnerEvent => ({
  type: 'block-stop',
  messageId: `msg_${blockId}`,
  role: 'assistant',
  blockId,
  block: content,
});

test('a person binds, prompts, allows a call by its button and reads the answer, all in Lark [UAP-33, UAP-34]', async () => {
  const lark = await fakeLark({ limits: UNLIMITED, answerTimeoutMs: 60_000 });
  onTestFinished(() => lark.close());
  const clock = new ManualClock();
  clock.standsWhile(() => lark.connections() === 0);
  const door = await openHubDoor({
    kinds: [standsWhileTalking(patientLark, clock)],
    clock: () => clock,
    channels: { lark: larkConfigSchema.parse({ appId: lark.appId, appSecret: lark.appSecret, domain: lark.url }) },
  });
  const until = (check: () => boolean | Promise<boolean>) => passUntil([clock], check, Infinity);
  const runner = await door.runner({ folders: ['/code'] });
  const { id: sessionId } = await door.owner.client.createSession({
    agent: 'scribe',
    folder: '/code',
    title: 'The door',
  });
  await clock.settled();
  const ann = lark.addUser({ name: 'Ann' });
  const shown = () => lark.messagesIn(ann.chatId).filter((message) => message.from === 'bot');
  const say = async (text: string) => {
    const count = shown().length;
    await lark.say(ann.chatId, ann, text);
    await until(() => shown().length > count);
  };

  await say('Who are you?');
  const { code } = await door.owner.client.createBindCode({ language: 'en' });
  await say(`/bind ${code}`);
  await say('/switch The door');
  const before = shown().length;

  await lark.say(ann.chatId, ann, 'Paint it red.');
  const prompt = await runner.command('prompt');
  await runner.say(
    sessionId,
    [
      { type: 'turn-started', turnId: 'trn_1', promptId: prompt.command.prompt.id },
      block('blk_1', { type: 'thinking', thinking: 'Red it is.' }),
      block('blk_2', { type: 'tool_use', id: 'call_1', name: 'bash', input: { command: 'paint door' } }),
      {
        type: 'approval-asked',
        approval: {
          id: 'apr_1',
          title: 'Run paint door',
          toolUseId: 'call_1',
          options: [
            { id: 'yes', name: 'Allow once', kind: 'allow_once' },
            { id: 'no', name: 'Reject', kind: 'reject_once' },
          ],
        },
      },
    ],
    prompt,
  );
  const question = () => shown().find(({ text }) => text.includes('Allow once'));
  await until(() => question() !== undefined && shown().length === before + 2);
  expect(shown()[before]?.card?.isStreaming).toBe(true);

  const pressed = await lark.press(ann.chatId, ann, question()!.messageId, 'Allow once');
  expect(pressed).toMatchObject({ toast: { type: 'success' }, errorCode: undefined });
  const decision = await runner.command('answer');
  await runner.say(
    sessionId,
    [
      {
        type: 'block-stop',
        messageId: 'msg_2',
        role: 'user',
        blockId: 'blk_3',
        block: { type: 'tool_result', tool_use_id: 'call_1', content: 'painted' },
      },
      block('blk_4', { type: 'text', text: 'The **door** is red now.' }),
      { type: 'turn-finished', turnId: 'trn_1', reason: 'done' },
    ],
    decision,
  );
  await until(() => shown()[before]?.card?.isStreaming === false && shown()[before]!.text.includes('red now'));
  await until(() => !JSON.stringify(shown()[before + 1]?.card?.json).includes('"tag":"button"'));

  const [answer, asked, ...more] = shown().slice(before);
  expect(more).toEqual([]);
  expect(answer?.text.replaceAll(/ · [\d.]+ s\b/gu, '')).toBe(
    [
      '▾ 💭 Thinking',
      'Red it is.',
      '▾ ✅ Run paint door · Success',
      'paint door',
      '👤 Allow once · owner (lark)',
      'painted',
      'The door is red now.',
      '✅ Done',
    ].join('\n'),
  );
  expect(answer?.lines.join('\n')).not.toContain('Red it is.');
  expect(asked?.text).toBe(['✅ Allowed', 'paint door', '👤 Allow once · owner (lark)'].join('\n'));
  expect(shown().map(({ card }) => [card?.isStreaming, card?.mentions])).toEqual(shown().map(() => [false, []]));
});
