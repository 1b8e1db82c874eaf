import type { AnyPart, Message, UserInfo } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { PromptBuilder } from './prompt-builder.ts';

const model = { providerID: 'claude', modelID: 'sonnet' };

function user(...parts: object[]): Message<UserInfo> {
  const base = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1' };
  return {
    info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 }, agent: 'build', model },
    parts: parts.map((part) => ({ ...base, ...part }) as AnyPart),
  };
}

const build = (...messages: Message[]) => new PromptBuilder(model).build('Be good.', { messages, revert: undefined });

test('a message that did not change is the same object in every prompt but the last place', () => {
  const prompts = new PromptBuilder(model);
  const messages = ['one', 'two'].map((text) => user({ type: 'text', text }));
  const [, first] = prompts.build('Be good.', { messages, revert: undefined });
  const [, again] = prompts.build('Be good.', { messages: [...messages, user()], revert: undefined });
  expect(again).toBe(first);
});

test('the first word after the system text is always the user’s, also when they said nothing that a model can read [FR-22]', () => {
  expect(build()).toMatchObject([{ role: 'system' }, { role: 'user', content: [{ text: 'Go on.' }] }]);
  expect(build(user({ type: 'x-chart', data: [1] }, { type: 'text', text: ' \n' }))).toMatchObject([
    { role: 'system' },
    { role: 'user', content: [{ text: 'Go on.' }] },
  ]);
});

test('what was taken back is not in the prompt', () => {
  const [one, two] = [user({ type: 'text', text: 'one' }), user({ type: 'text', text: 'two' })];
  const messages = [one, { ...two, info: { ...two.info, id: 'msg_2' } }];
  const prompt = new PromptBuilder(model).build('', { messages, revert: { messageID: 'msg_2', files: [] } });
  expect(JSON.stringify(prompt)).not.toContain('two');
});

test('a prompt that was sent again because nothing was said to it is told once', () => {
  const asked = user({ type: 'text', text: 'Look.' });
  const others = [user({ type: 'text', text: 'one' }), user({ type: 'text', text: 'two' })];
  expect(build(asked, asked).slice(1)).toMatchObject([{ role: 'user', content: [{ text: 'Look.' }] }]);
  expect(build(...others).slice(1)).toMatchObject([{ content: [{ text: 'one' }] }, { content: [{ text: 'two' }] }]);
});
