import { expect, test } from 'vitest';
import { linesOf, render } from '../../../render.fixture.tsx';
import { ChannelFields } from './channel-fields.tsx';
import { channelDraftOf } from './channel-draft.ts';
import { SeenChannel } from './channel-row.tsx';
import { channelInfo, group } from './channels.fixture.ts';
import { Chats } from './chats.tsx';
import { CheckSteps } from './check-steps.tsx';
import { GuideSteps } from './guide-steps.tsx';

test('a platform that failed says why, and what that means for what waits', () => {
  const channel = channelInfo({
    state: { type: 'failed', reason: 'The token was revoked.', since: 0 },
    bot: { name: '@slate_bot', link: 'https://slate.test/slate_bot' },
  });

  expect(linesOf(render(<SeenChannel channel={channel} />))).toEqual([
    'Slate',
    'Failed',
    'Nothing is sent until this is fixed. Nothing is lost in the meantime. · changed',
    'The token was revoked.',
    'Bot:',
    '@slate_bot',
  ]);
});

test('a platform that is not set up says how long that takes, where it is known', () => {
  const off = { isConfigured: false, state: { type: 'off' as const } };

  const lines = (minutes?: number) =>
    linesOf(render(<SeenChannel channel={channelInfo({ ...off, ...(minutes !== undefined && { minutes }) })} />));
  expect(lines(2)).toEqual(['Slate', 'Not set up', 'Takes about 2 minutes.']);
  expect(lines()).toEqual(['Slate', 'Not set up', 'No bot yet.']);
});

test('a group has its topics below it, and a private chat of somebody whom the bot does not know says so', () => {
  const channel = channelInfo({
    chats: [
      group({ chatId: 'team', title: 'The team' }),
      group({ chatId: 'team/1', title: 'Mend the door' }),
      group({ chatId: 'eve', title: 'Eve', kind: 'private', isConnected: false }),
      group({ chatId: 'ada', title: 'Ada', kind: 'private', isConnected: true, isMuted: true }),
    ],
  });
  const lines = linesOf(render(<Chats channels={[channel]} />));

  const [team, topic, eve, ada] = ['The team', 'Mend the door', 'Eve', 'Ada'].map((title) => lines.indexOf(title));
  expect(lines.slice(team, topic)).toEqual(expect.arrayContaining(['Slate', 'Active', 'Deny']));
  expect(lines.slice(topic, eve)).not.toContain('Deny');
  expect(lines.slice(eve, ada)).toContain('Not connected');
  expect(lines.slice(eve, ada)).not.toContain('Active');
  expect(lines.slice(ada)).toEqual(expect.arrayContaining(['Active', 'Muted']));
});

test('every step of a check says whether it is right, and what to do where it is not', () => {
  const html = render(
    <CheckSteps
      title="Slate"
      steps={[
        { id: 'token', title: 'The token', state: 'ok', text: 'It is @slate_bot.', fix: 'It could be more.' },
        { id: 'groups', title: 'Groups', state: 'wrong', text: 'It hears nothing.', fix: 'Send **/setprivacy**.' },
        { id: 'address', title: 'Base URL', state: 'missing', text: 'None is set.', fix: 'Set one.' },
        { id: 'events', title: 'Events', state: 'unknown', text: 'Nothing came yet.' },
      ]}
    />,
  );

  expect(linesOf(html)).toEqual([
    '2 steps left.',
    'OK',
    'The token',
    'It is @slate_bot.',
    'It could be more.',
    'Wrong',
    'Groups',
    'It hears nothing.',
    'How to fix it:',
    'Send /setprivacy.',
    'Missing',
    'Base URL',
    'None is set.',
    'How to fix it:',
    'Set one.',
    'Can’t be checked',
    'Events',
    'Nothing came yet.',
  ]);
});

test('what is left of a guide keeps its numbers, and what is to be pasted elsewhere can be copied', () => {
  const steps = [
    'Open **Slate**.',
    'Fill in the form.',
    'Paste this:\n\n```json\n{ "a": 1 }\n```',
    'Add `slate.said`.',
  ];
  const html = render(<GuideSteps steps={steps} from={2} />);

  expect(linesOf(html)).toEqual(['3', 'Paste this:', 'json', '{ "a": 1 }', '4', 'Add slate.said.']);
  expect(html).toContain('<ol start="3"');
  expect(html).toContain('aria-label="Copy code"');
});

test('a form is made from what a channel says it needs; of a secret that is kept nothing is shown', () => {
  const channel = channelInfo();
  const html = render(
    <ChannelFields fields={channel.fields} draft={channelDraftOf(channel)} missing={['apiUrl']} onChange={() => {}} />,
  );

  expect(linesOf(html)).toEqual([
    'Token',
    'Saved. Leave empty to keep it.',
    'How it hears',
    'It asks',
    'It is told',
    'Base URL',
    'Required.',
    'Key',
    'Saved. Leave empty to keep it.',
    'Remove',
  ]);
  expect(html.match(/type="password"/g)).toHaveLength(2);
});
