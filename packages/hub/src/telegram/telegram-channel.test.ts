import { expect, test } from 'vitest';
import { telegramChannel } from './telegram-channel.ts';
import { telegramConfigSchema } from './telegram-config.ts';

test.each(['en', 'zh'] as const)(
  'the guide in %s leads from @BotFather to a topic per session, and asks for every setting [UAP-35]',
  (language) => {
    const { steps, fields, savedAt } = telegramChannel.guide(language, undefined);
    expect(steps).toHaveLength(7);
    expect(steps[savedAt! - 1]).toMatch(/\*\*Save and start\*\*|\*\*保存并启动\*\*/);
    for (const [index, named] of [
      '/newbot',
      'bot',
      '123456789:',
      'polling',
      '',
      '/setprivacy',
      'Threaded mode',
    ].entries())
      expect(steps[index]).toContain(named);
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(telegramConfigSchema.shape));
    expect(fields.filter(({ isRequired }) => isRequired).map(({ name, kind }) => [name, kind])).toEqual([
      ['token', 'secret'],
    ]);
  },
);

test('a webhook is offered where the server has an address for it [UAP-35]', () => {
  expect(telegramChannel.guide('en', 'https://dragoman.example').steps[3]).toContain('webhook');
  expect(telegramChannel.guide('en', 'http://127.0.0.1:4747').steps[3]).not.toContain('webhook');
});
