import type { RunnerEvent } from '@dragoman/protocol';
import { fakeTelegram } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, passUntil, standsWhileTalking } from '../channels/manual-clock.fixture.ts';
import { openHubDoor } from '../hub-door.fixture.ts';
import { telegramChannel } from './telegram-channel.ts';
import { telegramConfigSchema } from './telegram-config.ts';

const text = (blockId: string, words: string): RunnerEvent[] => [
  { type: 'block-start', messageId: `msg_${blockId}`, role: 'assistant', blockId, block: { type: 'text', text: '' } },
  ...words.split(/(?<= )/).map((delta): RunnerEvent => ({ type: 'block-delta', blockId, delta })),
  { type: 'block-stop', messageId: `msg_${blockId}`, role: 'assistant', blockId, block: { type: 'text', text: words } },
];

test('a person binds, prompts, allows a call by its button and reads the answer, all in Telegram [UAP-35]', async () => {
  const telegram = await fakeTelegram({ limits: false });
  const clock = new ManualClock();
  clock.standsWhile(() => telegram.pendingUpdates() > 0);
  const door = await openHubDoor({
    kinds: [standsWhileTalking(telegramChannel, clock)],
    clock: () => clock,
    channels: { telegram: telegramConfigSchema.parse({ token: telegram.token, apiUrl: telegram.url }) },
  });
  onTestFinished(() => telegram.close());
  const until = (check: () => boolean | Promise<boolean>) => passUntil([clock], check, Infinity);
  const runner = await door.runner({ folders: ['/code'] });
  const { id: sessionId } = await door.owner.client.createSession({
    agent: 'scribe',
    folder: '/code',
    title: 'The door',
  });

  const ann = telegram.addUser({ name: 'Ann' });
  const shown = () => telegram.botMessagesIn(ann).map((message) => message.text);
  telegram.say(ann, ann, 'Who are you?');
  await until(() => shown().length === 1);
  const { code } = await door.owner.client.createBindCode({ language: 'en' });
  telegram.say(ann, ann, `/start ${code}`);
  await until(() => shown().length === 2);
  telegram.say(ann, ann, '/switch The door');
  await until(() => shown().length === 3);
  const before = shown().length;

  telegram.say(ann, ann, 'Paint it red.');
  const prompt = await runner.command('prompt');
  expect(prompt.session.sessionId).toBe(sessionId);
  await runner.say(
    sessionId,
    [
      { type: 'turn-started', turnId: 'trn_1', promptId: prompt.command.prompt.id },
      {
        type: 'block-stop',
        messageId: 'msg_1',
        role: 'assistant',
        blockId: 'blk_1',
        block: { type: 'thinking', thinking: 'Red it is.' },
      },
      {
        type: 'block-stop',
        messageId: 'msg_1',
        role: 'assistant',
        blockId: 'blk_2',
        block: { type: 'tool_use', id: 'call_1', name: 'bash', input: { command: 'paint door' } },
      },
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
  await until(() => shown().some((said) => said.includes('Needs your approval')));
  const question = telegram
    .botMessagesIn(ann)
    .find(({ buttons }) => buttons.flat().some(({ text: label }) => label === 'Allow once'))!;
  expect(shown().find((said) => said.includes('paint door') && said.includes('⏸'))).toContain('💭 Thought');

  await telegram.press(ann, ann, question.messageId, 'Allow once');
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
      ...text('blk_4', 'The **door** is red now.'),
      { type: 'turn-finished', turnId: 'trn_1', reason: 'done' },
    ],
    decision,
  );
  await until(() => shown().some((said) => said.includes('✓ Done')));
  await until(() =>
    shown().some((said) => said.includes('Allow once · owner (telegram)') && said.startsWith('✅ Allowed')),
  );

  const [answer, asked, ...more] = telegram.botMessagesIn(ann).slice(before);
  expect(more).toEqual([]);
  expect(answer!.text.replace(/ · [\d.]+ s\b/g, '').replace(/for [\d.]+ s/, 'for a while')).toBe(
    [
      '💭 Thought\nRed it is.',
      '',
      '✅ Run paint door',
      '      Allow once · owner (telegram)',
      'painted',
      '',
      'The door is red now.',
      '',
      '✓ Done',
    ].join('\n'),
  );
  expect(answer!.blocks.map(({ kind }) => kind)).toContain('folded-quote');
  expect(asked!.buttons).toEqual([]);
});
