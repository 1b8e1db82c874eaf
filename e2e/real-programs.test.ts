import { describe, expect, test } from 'vitest';
import { askClient } from '../interop/ask-client.ts';
import { codex } from '../interop/clients/codex.ts';
import { geminiCli } from '../interop/clients/gemini-cli.ts';
import { opencode } from '../interop/clients/opencode.ts';
import type { Client } from '../interop/clients/run-client.ts';
import { SCENARIOS } from '../interop/scenarios.ts';
import { placeFor } from '../interop/start-place.ts';
import type { ProtocolName } from '../interop/upstream/scripted-upstreams.ts';

// The programs that most people use, on some kinds of providers; `npm run interop` tries many more, on all of them.
describe.each<[string, Client, ProtocolName[]]>([
  ['codex', codex(), ['chat', 'responses', 'messages', 'gemini']],
  ['gemini-cli', geminiCli, ['chat', 'gemini']],
  ['opencode', opencode('chat'), ['responses', 'messages']],
])('%s', (_name, client, protocols) => {
  describe.each(protocols)('on %s', (protocol) => {
    const place = placeFor(protocol);

    test('runs a tool', async () => {
      const { script, reads } = SCENARIOS['runs a tool'];

      const { output, refusals } = await askClient(place(), client, script);

      expect(refusals).toEqual([]);
      expect(output).toContain(reads[0]);
    });
  });
});
