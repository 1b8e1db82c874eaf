import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PANEL_COMMANDS, readPanelMessage } from './panel-message.ts';

test('what is typed is read as the items: texts trimmed, numbers as numbers, empty keys left alone', () => {
  expect(
    readPanelMessage({
      type: 'save',
      values: {
        baseUrl: ' https://x ',
        model: 'm\n',
        temperature: ' 0.5 ',
        maxTokens: '',
        systemPromptBase: '  keeps its spaces ',
        augmentBaseUrl: '',
        apiKey: ' sk ',
        augmentToken: ' ',
        searchWithRipgrep: true,
        more: 'than known',
      },
    }),
  ).toEqual({
    type: 'save',
    change: {
      baseUrl: 'https://x',
      model: 'm',
      temperature: 0.5,
      maxTokens: undefined,
      systemPromptBase: '  keeps its spaces ',
      augmentBaseUrl: '',
      apiKey: 'sk',
      searchWithRipgrep: true,
    },
  });
});

test('anything at all is either a message of the page or nothing, and never runs another command', () => {
  const odd = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.constantFrom('ready', 'save', 'test', 'remove', 'run', 'other'),
      values: fc.anything(),
      item: fc.anything(),
      command: fc.oneof(fc.string(), fc.constantFrom(...PANEL_COMMANDS, 'workbench.action.quit'), fc.anything()),
    }),
  );
  fc.assert(
    fc.property(odd, (message) => {
      const read = readPanelMessage(message);
      expect([undefined, 'ready', 'save', 'test', 'remove', 'run']).toContain(read?.type);
      expect([undefined, ...PANEL_COMMANDS]).toContain(read?.type === 'run' ? read.command : undefined);
    }),
    { seed: 1 },
  );
});
