import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClientTool, ToolNames } from './tool-names.ts';

const namesOf = (...tools: ClientTool[]) => {
  const names = new ToolNames();
  return tools.map((tool) => names.nameOf(tool));
};
const plain = (name: string): ClientTool => ({ form: 'function', name });
const inside = (namespace: string, name: string): ClientTool => ({ form: 'function', name, namespace });

test('a tool keeps its own name, and one of a namespace has the namespace before it', () => {
  expect(
    namesOf(
      plain('read'),
      { form: 'custom', name: 'apply_patch' },
      inside('mcp__every', 'echo'),
      inside('mcp__other__', 'echo'),
      inside('functions', 'exec'),
    ),
  ).toEqual(['read', 'apply_patch', 'mcp__every__echo', 'mcp__other__echo', 'exec']);
});

test('a name that is taken, too long or not legal gets a digest, and is known by it', () => {
  const names = new ToolNames();
  const tools = [
    plain('a__b__c'),
    inside('a', 'b__c'),
    inside('a__b', 'c'),
    { form: 'custom', name: 'a__b__c' } as const,
    plain('x'.repeat(65)),
    plain('Liste öffnen'),
    plain('3d'),
    plain(''),
  ];
  const given = tools.map((tool) => names.nameOf(tool));
  expect(given).toEqual([
    'a__b__c',
    expect.stringMatching(/^a__b__c_[0-9a-f]{8}$/),
    expect.stringMatching(/^a__b__c_[0-9a-f]{8}$/),
    expect.stringMatching(/^a__b__c_[0-9a-f]{8}$/),
    expect.stringMatching(/^x{55}_[0-9a-f]{8}$/),
    expect.stringMatching(/^Liste__ffnen_[0-9a-f]{8}$/),
    expect.stringMatching(/^_3d_[0-9a-f]{8}$/),
    expect.stringMatching(/^__[0-9a-f]{8}$/),
  ]);
  expect(given.map((name) => names.toolOf(name))).toEqual(tools);
});

test('a name that nobody offered is a function of that name', () => {
  expect(new ToolNames().toolOf('constructor')).toEqual({ form: 'function', name: 'constructor' });
});

const word = fc.oneof(fc.constantFrom('a', 'b', 'a__b', 'a_', 'functions', 'mcp__x__'), fc.string({ maxLength: 90 }));
const anyTool: fc.Arbitrary<ClientTool> = fc.record(
  { form: fc.constantFrom('function', 'custom', 'tool_search'), name: word, namespace: word },
  { requiredKeys: ['form', 'name'] },
);

test('whatever the tools are called, each has one legal name of its own that leads back to it', () => {
  fc.assert(
    fc.property(fc.array(anyTool, { maxLength: 40 }), (tools) => {
      const names = new ToolNames();
      const given = tools.map((tool) => names.nameOf(tool));
      for (const [index, name] of given.entries()) {
        expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
        expect(names.toolOf(name)).toEqual(tools[index]);
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('tools that are added later change no name before them', () => {
  fc.assert(
    fc.property(fc.array(anyTool, { maxLength: 20 }), fc.array(anyTool, { maxLength: 20 }), (first, later) => {
      expect(namesOf(...first, ...later).slice(0, first.length)).toEqual(namesOf(...first));
    }),
    { seed: 1, numRuns: 100 },
  );
});
