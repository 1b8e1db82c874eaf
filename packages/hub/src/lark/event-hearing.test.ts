import { expect, test } from 'vitest';
import { cardBody, connectedScene, finished, type larkScene, privateChat, TestPost } from './lark-channel.fixture.ts';

const question = cardBody([
  { tag: 'markdown', content: 'May it run?' },
  {
    tag: 'button',
    text: { tag: 'plain_text', content: 'Allow' },
    type: 'primary',
    behaviors: [{ type: 'callback', value: { action: 0 } }],
  },
  {
    tag: 'form',
    name: 'answer',
    elements: [
      {
        tag: 'input',
        name: 'text',
        input_type: 'multiline_text',
        rows: 2,
        max_length: 1000,
        placeholder: { tag: 'plain_text', content: 'Your answer' },
        required: false,
        width: 'fill',
      },
      {
        tag: 'button',
        name: 'send',
        text: { tag: 'plain_text', content: 'Send' },
        type: 'default',
        form_action_type: 'submit',
        behaviors: [{ type: 'callback', value: { action: 1 } }],
      },
    ],
  },
]);

async function asked(options: Parameters<typeof larkScene>[0] = {}) {
  const scene = await connectedScene(options);
  const { messageId } = await new TestPost(privateChat(scene.ann.chatId)).deliver(scene.channel, question);
  return { ...scene, messageId: messageId! };
}

test('a button brings back its action as the person who pressed it, and the answer pops up [UAP-33]', async () => {
  const { lark, ann, heard, answer, messageId } = await asked();
  answer.with = async () => ({ text: 'Allowed', isRefused: false });

  const outcome = await lark.press(ann.chatId, ann, messageId, 'Allow');

  expect(outcome).toMatchObject({ toast: { type: 'success', content: 'Allowed' }, errorCode: undefined });
  expect(heard).toEqual([
    {
      type: 'press',
      id: lark.deliveries[0]!.eventId,
      chat: { chatId: ann.chatId, kind: 'private' },
      person: { accountId: ann.openId, name: `Lark …${ann.openId.slice(-6)}` },
      action: 'act_1.0',
      text: undefined,
    },
  ]);
});

test('what was written into a form comes along, and a refusal pops up as an error [UAP-33]', async () => {
  const { lark, ann, heard, answer, messageId } = await asked();
  answer.with = async () => ({ text: 'You may not.', isRefused: true });

  const outcome = await lark.press(ann.chatId, ann, messageId, 'send', { text: 'the blue one' });

  expect(outcome.toast).toEqual({ type: 'error', content: 'You may not.' });
  expect(heard).toMatchObject([{ type: 'press', action: 'act_1.1', text: 'the blue one' }]);
});

test('a press that takes long is answered in time, and what it does is done all the same', async () => {
  const { lark, ann, heard, answer, messageId } = await asked({ times: { pressMs: 5 } });
  const gate = Promise.withResolvers<undefined>();
  let isDone = false;
  answer.with = async () => {
    await gate.promise;
    isDone = true;
    return undefined;
  };

  const outcome = await lark.press(ann.chatId, ann, messageId, 'Allow');

  expect(outcome).toMatchObject({ toast: { type: 'info', content: 'Working on it…' }, errorCode: undefined });
  expect(heard).toHaveLength(1);
  gate.resolve(undefined);
  await expect.poll(() => isDone).toBe(true);
});

test('a press in a topic is heard in that topic', async () => {
  const { lark, ann, heard, channel } = await connectedScene();
  const team = lark.addGroup({ name: 'Team', members: [ann] });
  const group = { chatId: team.chatId, kind: 'group', language: 'en' } as const;
  const root = await new TestPost(group).deliver(channel, finished('topic'));
  const place = `${team.chatId}/${root.messageId}`;
  const { messageId } = await new TestPost({ ...group, chatId: place }).deliver(channel, question);

  await lark.press(team.chatId, ann, messageId!, 'Allow');

  expect(heard).toMatchObject([{ type: 'press', action: 'act_1.0', chat: { chatId: place, kind: 'group' } }]);
});
