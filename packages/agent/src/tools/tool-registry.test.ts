import { expect, test } from 'vitest';
import { z } from 'zod';
import { ToolRegistry } from './tool-registry.ts';
import { Tool } from './tool.ts';

const tool = (id: string, parameters: Tool.Info['parameters'] = z.object({})): Tool.Info => ({
  id,
  description: `The tool ${id}.`,
  parameters,
  execute: async () => ({ title: '', output: '' }),
});

test('tools are registered, listed in order, found, switched off and on, and taken away [FR-31]', () => {
  const registry = new ToolRegistry();
  const versions = [registry.version];
  const note = () => versions.push(registry.version);
  for (const id of ['b', 'a', 'c']) expect(registry.register(tool(id))).toBe(true);
  note();
  registry.setEnabled('a', false);
  note();
  expect([registry.list().map(({ id }) => id), registry.get('a')]).toEqual([['b', 'c'], undefined]);
  registry.setEnabled('a', true);
  registry.unregister('b');
  note();
  registry.touch();
  note();
  expect([registry.list().map(({ id }) => id), registry.get('a')?.id]).toEqual([['a', 'c'], 'a']);
  registry.unregister('b');

  expect(new Set(versions).size).toBe(versions.length);
  expect(registry.version).toBe(versions.at(-1));
});

test('a second tool of the same name is refused and reported [FR-31]', () => {
  const registry = new ToolRegistry();
  const first = tool('a');
  registry.register(first);
  expect([registry.register(tool('a')), registry.get('a')]).toEqual([false, first]);
  expect(registry.problems).toEqual(['There are two tools named "a"; the first one is used.']);
});

test('what the model is told of a tool is the same object until its description changes', () => {
  const registry = new ToolRegistry();
  const typed = tool('typed', z.object({ path: z.string().describe('Where.') }));
  const definition = registry.definition(typed);

  expect(definition).toEqual({
    name: 'typed',
    description: 'The tool typed.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where.' } },
      required: ['path'],
    },
  });
  expect(registry.definition(typed)).toBe(definition);
  typed.description = 'Changed.';
  expect(registry.definition(typed)).toMatchObject({ description: 'Changed.' });
  expect(registry.definition(tool('foreign', { properties: {} })).inputSchema).toEqual({
    type: 'object',
    properties: {},
  });
});

test('a tool has a name that every provider takes [FR-27]', () => {
  for (const id of ['', 'a b', 'a.b', 'a'.repeat(65)])
    expect(() => Tool.define({ ...tool(id), parameters: { type: 'object' } })).toThrow(/A tool is named with letters/);
});
