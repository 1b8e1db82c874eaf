import { expect, test } from 'vitest';
import { inShort, NO_CAPABILITIES, testRunner } from '../open-runner.fixture.ts';

const withImage = (id: string) => ({
  type: 'prompt' as const,
  prompt: { id, content: [{ type: 'image' as const, media_type: 'image/png', data: 'aGVsbG8=' }] },
});

test('an image for an agent that does not say that it sees images is told in the session', async () => {
  const { hub, spec, seen } = testRunner((index) => ({
    capabilities: index === '0' ? NO_CAPABILITIES : { ...NO_CAPABILITIES, images: true },
    script: ({ writer }) => writer.text('Hm.'),
  }));
  for (const sessionId of ['ses_1', 'ses_2']) {
    hub.command(spec(sessionId), withImage(`p of ${sessionId}`));
    await seen(sessionId, 'turn-finished');
  }

  const notice = 'stop notice This agent may not support images, so it might not see yours.';
  expect(inShort(hub.events('ses_1'))).toContain(notice);
  expect(inShort(hub.events('ses_2'))).not.toContain(notice);
});
