import { expect, test } from 'vitest';
import { OpenState, OpenStateContext } from './open-state.ts';
import { linesOf, render, renderSession } from '../render.fixture.tsx';
import { RowView } from './row-view.tsx';
import { rowsOf } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';

const options = [
  { id: 'once', name: 'Allow once', kind: 'allow_once' as const },
  { id: 'no', name: 'Deny', kind: 'reject_once' as const },
];
const ada = { type: 'user', userId: 'usr_ada', name: 'Ada', channel: 'web' } as const;

function deniedBy(reply: { type: 'rejected' } | { type: 'selected'; optionId: string }) {
  const session = sessionOf();
  session.turn('go');
  session.call('a', 'bash', { input: { command: 'git push' } }, { isRunning: true });
  session.add({ type: 'approval-asked', approval: { id: 'apr_1', title: 'bash git push', toolUseId: 'a', options } });
  session.add({ type: 'approval-decided', approvalId: 'apr_1', reply, by: ada });
  session.finish('a', 'The user does not want this call to run.', { is_error: true });
  return linesOf(renderSession(session.view())).slice(-4);
}

test('a call that somebody said no to is denied, and did not fail [UAP-36]', () => {
  expect(deniedBy({ type: 'rejected' })).toEqual(['Run', 'git push', 'Denied', 'Denied · Ada']);
  expect(deniedBy({ type: 'selected', optionId: 'no' })).toEqual(['Run', 'git push', 'Denied', 'Denied · Ada']);
  // A yes is no reason for what went wrong afterwards.
  expect(deniedBy({ type: 'selected', optionId: 'once' })).toContain('Failed');
});

test('a call that is still being told, or that the session does not have, is only denied', () => {
  const place = { messageId: 'msg_1', role: 'assistant', blockId: 'blk_1' } as const;
  const block = { type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } } as const;
  const answers = (told: 'block-start' | 'block-stop', toolUseId: string) => {
    const session = sessionOf();
    session.turn('go');
    session.add({ type: told, ...place, block });
    session.add({ type: 'approval-asked', approval: { id: 'apr_1', title: 'bash ls …', toolUseId, options } });
    const lines = linesOf(renderSession(session.view(), { isAllOpen: true }));
    return lines.filter((line) => ['Allow once', 'Deny'].includes(line));
  };
  expect(answers('block-stop', 'a')).toEqual(['Allow once', 'Deny']);
  expect(answers('block-start', 'a')).toEqual(['Deny']);
  expect(answers('block-stop', 'nowhere')).toEqual(['Deny']);
});

/** A turn that reads so many times, from so many files. */
function readsOf(calls: number, files: number) {
  const session = sessionOf();
  session.turn('read');
  for (let index = 0; index < calls; index += 1)
    session.call(`c${index}`, 'read', { input: { filePath: `src/${index % files}.ts` } });
  return session.view();
}

test('calls that read are counted by their files', () => {
  const told = (calls: number, files: number) => linesOf(renderSession(readsOf(calls, files)))[3];
  expect([told(5, 5), told(5, 1), told(5, 2)]).toEqual([
    'Read 5 files',
    'Read 1 file 5 times',
    'Read 2 files in 5 calls',
  ]);
});

test('calls of which one failed say so, and not that they are done', () => {
  const session = sessionOf();
  session.turn('read');
  session.call('a', 'read', { input: { filePath: 'src/a.ts' } });
  session.call('b', 'read', { input: { filePath: 'src/b.ts' } }, { isRunning: true });
  session.finish('b', 'There is no such file.', { is_error: true });
  const lines = linesOf(renderSession(session.view()));
  expect(lines.slice(lines.indexOf('Read 2 files'))).toEqual(['Read 2 files', 'src/b.ts', '1.5 s', '1 failed']);
});

test('of very many calls the first are drawn, those that one was led to, and a button for more', () => {
  const view = readsOf(220, 220);
  const row = rowsOf(view).find(({ type }) => type === 'calls')!;
  const open = new OpenState();
  const lines = () =>
    linesOf(
      render(
        <OpenStateContext value={open}>
          <RowView row={row} />
        </OpenStateContext>,
      ),
    );
  const drawn = () => lines().filter((line) => line.startsWith('src/') && line !== 'src/219.ts');

  open.set('calls c0', true);
  expect([drawn().length, lines().at(-1)]).toEqual([50, 'Show 50 of 170 more']);
  open.set('call c180', true);
  expect([drawn().at(-1), lines().at(-1)]).toEqual(['src/180.ts', 'Show 50 of 169 more']);
  for (const most of [50, 100]) open.set(`more c0 ${most}`, true);
  expect([drawn().length, lines().at(-1)]).toEqual([200, 'Show 20 more']);
});
