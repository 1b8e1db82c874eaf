import { compilePermissions } from '@dragoman/protocol';
import { openStore, type RoomMigrations } from '@dragoman/server';
import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sessionMigration } from '../session/session-tables.ts';
import { ApprovalStore } from './approval-store.ts';
import { approvalMigration } from './approval-tables.ts';

const ROOMS: RoomMigrations[] = [{ room: 'agent', migrations: [sessionMigration, approvalMigration] }];
const PROJECT = '/srv/project';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  async function open(): Promise<ApprovalStore> {
    const store = await openStore(await freshLocation(engine, ROOMS), { rooms: ROOMS });
    onTestFinished(() => store.close());
    let now = 0;
    return new ApprovalStore(store, () => (now += 1_000));
  }

  test('approvals are kept per project, listed in their order and taken back [NFR-09]', async () => {
    const approvals = await open();
    const push = await approvals.save(PROJECT, { tool: 'bash', kind: 'command', pattern: 'git push *' });
    const list = await approvals.save(PROJECT, { tool: 'files_list', pattern: '*' });
    await approvals.save('/srv/other', { tool: 'bash', kind: 'command', pattern: 'make *' });

    expect(push).toEqual({
      id: push.id,
      project: PROJECT,
      tool: 'bash',
      kind: 'command',
      pattern: 'git push *',
      createdAt: 1_000,
    });
    expect(list).toEqual({ id: list.id, project: PROJECT, tool: 'files_list', pattern: '*', createdAt: 2_000 });
    expect(await approvals.list(PROJECT)).toEqual([push, list]);

    expect(await approvals.remove(push.id)).toBe(true);
    expect(await approvals.remove(push.id)).toBe(false);
    expect(await approvals.list(PROJECT)).toEqual([list]);
  });

  test('the same approval is saved once, also when several do it at once', async () => {
    const approvals = await open();
    const rule = { tool: 'edit', kind: 'path', pattern: 'src/**' } as const;

    const saved = await Promise.all(Array.from({ length: 5 }, () => approvals.save(PROJECT, rule)));

    expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
    expect(await approvals.list(PROJECT)).toEqual([saved[0]]);
    expect((await approvals.save(PROJECT, { tool: 'edit', pattern: 'src/**' })).id).not.toBe(saved[0]!.id);
  });

  test('as rules they decide before the defaults and the user, are named by their id, and never beat a deny [ACC-22]', async () => {
    const approvals = await open();
    const { id } = await approvals.save(PROJECT, { tool: 'bash', kind: 'command', pattern: 'git push *' });
    await approvals.save(PROJECT, { tool: 'files_list', pattern: '*' });
    const rules = await approvals.rules(PROJECT);
    const ask = {
      tool: 'bash',
      pattern: 'git push origin *',
      action: 'ask',
      origin: 'dragoman.json',
      layer: 1,
    } as const;
    const question = { tool: 'bash', subjects: [{ kind: 'command', value: 'git push origin' }] } as const;

    expect(rules).toEqual([
      { tool: 'bash', kind: 'command', pattern: 'git push *', action: 'allow', origin: `approval ${id}`, layer: 3 },
      { tool: 'files_list', pattern: '*', action: 'allow', origin: expect.stringMatching(/^approval apr_/), layer: 3 },
    ]);
    expect(compilePermissions([ask, ...rules]).decide(question)).toMatchObject({
      action: 'allow',
      rule: { origin: `approval ${id}` },
    });
    expect(compilePermissions([{ ...ask, action: 'deny' }, ...rules]).decide(question).action).toBe('deny');
    expect(await approvals.rules('/srv/none')).toEqual([]);
  });

  test('long patterns and folders are kept, and what is longer than a person reads is refused', async () => {
    const approvals = await open();
    const project = `/srv/${'ü/'.repeat(1_500)}`;
    const pattern = '語'.repeat(1_000);

    await approvals.save(project, { tool: 'bash', kind: 'command', pattern });
    expect(await approvals.list(project)).toMatchObject([{ project, pattern }]);
    await expect(approvals.save(PROJECT, { tool: 'bash', pattern: 'x'.repeat(1_001) })).rejects.toThrow(
      'An approval needs a pattern of 1 to 1000 characters without NUL; this one has 1001.',
    );
    await expect(approvals.save(PROJECT, { tool: 'bash', pattern: '' })).rejects.toThrow('this one has 0');
    await expect(approvals.save(PROJECT, { tool: 'bash', pattern: 'a\0' })).rejects.toThrow('without NUL');
  });
});
