import { expect, test } from 'vitest';
import { AgentRegistry } from './backend/agent-registry.ts';
import { PRESETS, registerBackends } from './register-backends.ts';

test('every kind of backend is registered by name, and every preset is of a kind that is there (UAP-17)', () => {
  const registry = new AgentRegistry();
  registerBackends(registry, {
    openModel: () => {
      throw new Error('not used');
    },
  });

  expect(registry.kinds()).toEqual(expect.arrayContaining(['acp', 'chat', 'claude', 'codex', 'text', 'uap']));
  expect(PRESETS.filter((preset) => !registry.has(preset.backend))).toEqual([]);
  expect(new Set(PRESETS.map((preset) => preset.name)).size).toBe(PRESETS.length);
});
