import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { askClient } from './ask-client.ts';
import { codex } from './clients/codex.ts';
import { tellResults } from './scenarios.ts';
import { placeFor } from './start-place.ts';
import type { Asked, Call } from './upstream/asked.ts';
import { PROTOCOL_NAMES } from './upstream/scripted-upstreams.ts';

const PATCH = '*** Begin Patch\n*** Add File: made.txt\n+kiwi-1234\n*** End Patch\n';
const SERVER = [
  process.execPath,
  '--conditions=@dragoman/source',
  fileURLToPath(new URL('../packages/agent/src/mcp/stdio-server.fixture.ts', import.meta.url)),
];

/** With its own models Codex offers one tool that runs programs, which reach the others; with older ones it offers each. */
const MODELS = {
  'its default model': {
    model: undefined,
    patch: { name: 'exec', input: { input: `text(await tools.apply_patch(${JSON.stringify(PATCH)}))` } },
    echo: [{ name: 'exec', input: { input: `text(JSON.stringify(await tools.mcp__demo__echo({ text: 'fig-99' })))` } }],
  },
  'gpt-5.5': {
    model: 'gpt-5.5',
    patch: { name: 'apply_patch', input: { input: PATCH } },
    // It looks for the tools of servers before it calls one.
    echo: [
      { name: 'tool_search', input: { query: 'echo' } },
      { name: 'mcp__demo__echo', input: { text: 'fig-99' } },
    ],
  },
} satisfies Record<string, { model: string | undefined; patch: Call; echo: Call[] }>;

describe.each(Object.entries(MODELS))('codex with %s', (_name, { model, patch, echo }) => {
  describe.each(PROTOCOL_NAMES)('on %s', (protocol) => {
    const place = placeFor(protocol);

    test('applies a patch', async () => {
      const { refusals, folder } = await askClient(place(), codex({ ...(model !== undefined && { model }) }), {
        steps: [() => [patch], tellResults],
      });

      expect(refusals).toEqual([]);
      expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('kiwi-1234\n');
    });

    test('calls a tool of an MCP server', async () => {
      const { refusals, output } = await askClient(
        place(),
        codex({ ...(model !== undefined && { model }), server: SERVER }),
        { steps: [...echo.map((call) => (asked: Asked) => [named(asked, call)]), tellResults] },
      );

      expect(refusals).toEqual([]);
      expect(output).toContain('The tools said: ');
      expect(output.slice(output.indexOf('The tools said: '))).toContain('fig-99');
    });
  });
});

/** The name of a tool in a group may be joined to it in another way where the provider knows no groups. */
function named({ tools }: Asked, call: Call): Call {
  const plain = (name: string) => name.replaceAll(/[^a-z0-9]+/gi, '_');
  return { ...call, name: tools.find((tool) => plain(tool) === plain(call.name)) ?? call.name };
}
