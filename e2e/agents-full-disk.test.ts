import { fillDisk, mountSmallDisk, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { agentsProcess } from './agents-process.fixture.ts';
import { projectWith, says, scripted, serveHub, toldBy, turnsOver, viewUntil } from './hub.fixture.ts';

test.for(['native', 'chat'])(
  'a full disk ends a turn of the %s agent, which says why, but not the process for agents, which goes on with room again (needs the right to mount)',
  async (agent, { skip }) => {
    const home = tempFolder();
    if (!mountSmallDisk(home, 24)) skip('small disks cannot be made here');
    const provider = await startFakeProvider();
    const full = Promise.withResolvers<void>();
    provider.answer(says('Before.', full.promise, 'x'.repeat(20_000), new Promise(() => {})), says('After.'));
    const { owner } = await serveHub(scripted(provider.url), { home });
    const folder = projectWith({ 'a.ts': '' });
    const { id } = await owner.createSession({ agent, folder, prompt: { text: 'first' } });
    await viewUntil(owner, id, (view) => toldBy(view).includes('text Before.'));
    const pid = agentsProcess(home);

    const makeRoom = fillDisk(home, 0);
    full.resolve();
    const { turn } = await turnsOver(owner, id);
    // The native agent may find out first, or what keeps what it says.
    expect(turn?.error?.message).toMatch(/disk (?:of the server )?is full/);

    makeRoom();
    // Prompts are refused until the machine has found out.
    const send = () => owner.sendPrompt({ sessionId: id, text: 'second' }).then(() => 'sent', String);
    await expect.poll(send).toBe('sent');
    const after = await turnsOver(owner, id, 2);
    expect(after.turn?.reason).toBe('done');
    expect(toldBy(after).filter((told) => told !== 'error')).toEqual([
      'text first',
      'text Before.',
      'text second',
      'text After.',
    ]);
    expect(agentsProcess(home)).toBe(pid);
  },
);
