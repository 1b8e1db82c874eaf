import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignToolNames, mcpToolName } from './mcp-tool-name.ts';

const free = () => false;

test('a tool is named after its server and itself, in characters that every model takes [FR-42]', () => {
  expect(mcpToolName('github', 'list-issues')).toBe('github_list-issues');
  expect(mcpToolName('My Files', 'read.file')).toBe('My_Files_read_file');
});

test('a name that is too long is cut, and two that differ only at the end still differ [FR-42]', () => {
  const [one, other] = [mcpToolName('server', `${'x'.repeat(80)}1`), mcpToolName('server', `${'x'.repeat(80)}2`)];

  expect([one.length, other.length]).toEqual([64, 64]);
  expect(one).not.toBe(other);
  expect(mcpToolName('server', `${'x'.repeat(80)}1`)).toBe(one);
});

test('where two would be called the same, the first keeps the name and the later one gets a suffix of its own [FR-42]', () => {
  const first = { clientName: 'a_b', toolName: 'c' };
  const later = { clientName: 'a', toolName: 'b_c' };

  expect(assignToolNames([first, later], free)).toEqual([
    { id: 'a_b_c' },
    { id: 'a_b_c_72502d35', clash: { id: 'a_b_c', with: first } },
  ]);
  expect(assignToolNames([later], (id) => id === 'a_b_c')).toEqual([
    { id: 'a_b_c_72502d35', clash: { id: 'a_b_c', with: 'another tool' } },
  ]);
});

test('all names are different, fit, and are the same every time, whatever servers and tools are called [FR-42]', () => {
  const owner = fc.record({
    clientName: fc.string({ unit: fc.constantFrom('a', '_', '.', 'ü'), minLength: 1, maxLength: 40 }),
    toolName: fc.string({ unit: fc.constantFrom('a', '_', '.', 'ü'), minLength: 1, maxLength: 40 }),
  });
  const owners = fc.uniqueArray(owner, { selector: (tool) => JSON.stringify(tool), maxLength: 30 });
  fc.assert(
    fc.property(owners, (tools) => {
      const ids = assignToolNames(tools, free).map(({ id }) => id);
      expect(new Set(ids).size).toBe(tools.length);
      for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(assignToolNames(tools, free).map(({ id }) => id)).toEqual(ids);
    }),
  );
});

test('a suffix that is taken grows', () => {
  const [named] = assignToolNames([{ clientName: 'a', toolName: 'b_c' }], (id) => id.length < 15);

  expect(named!.id).toMatch(/^a_b_c_72502d35[0-9a-f]{4}$/);
});
