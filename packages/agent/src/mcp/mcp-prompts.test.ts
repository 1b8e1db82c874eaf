import { expect, test } from 'vitest';
import { commandArguments, convertMcpPrompt, toMcpCommand } from './mcp-prompts.ts';

const command = toMcpCommand('docs', {
  name: 'compare',
  title: 'Compare two things',
  arguments: [
    { name: 'left', required: true },
    { name: 'right', required: true, description: 'The other one.' },
    { name: 'why', required: null },
  ],
});

test('a prompt is a command with the name of its server', () => {
  expect(command).toEqual({
    name: 'docs:compare',
    description: 'Compare two things',
    arguments: [
      { name: 'left', isRequired: true },
      { name: 'right', description: 'The other one.', isRequired: true },
      { name: 'why', isRequired: false },
    ],
  });
  expect(toMcpCommand('docs', { name: 'bare' })).toEqual({ name: 'docs:bare', description: '', arguments: [] });
});

test('a line is shared out by words and quotes, and the last argument gets the rest as it stands', () => {
  expect(commandArguments(command, '  one   two ')).toEqual({ left: 'one', right: 'two' });
  expect(commandArguments(command, '"a b" two "for  fun"')).toEqual({ left: 'a b', right: 'two', why: 'for  fun' });
  expect(commandArguments(command, 'one two because  "I" say so')).toEqual({
    left: 'one',
    right: 'two',
    why: 'because  "I" say so',
  });
  expect(commandArguments(command, '"one two')).toEqual({ left: '"one', right: 'two' });
  expect(() => commandArguments(command, 'one')).toThrow('/docs:compare needs right; it takes <left> <right> [why]');
  expect(commandArguments(toMcpCommand('docs', { name: 'bare' }), 'whatever')).toEqual({});
});

test('messages become one text, and who said what is told when it was not always the person', () => {
  const asked = { role: 'user', content: { type: 'text', text: 'What is it?' } };

  expect(convertMcpPrompt('docs', { messages: [asked, asked] }).output).toBe('What is it?\nWhat is it?');
  expect(
    convertMcpPrompt('docs', {
      messages: [
        asked,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A lamp.' },
            { type: 'image', data: 'AA' },
          ],
        },
      ],
    }),
  ).toMatchObject({
    output: 'User:\nWhat is it?\nAssistant:\nA lamp.\n[attachment 1: image-1, image/png]',
    attachments: [{ url: 'data:image/png;base64,AA' }],
  });
});
