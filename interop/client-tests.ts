import { describe, expect, test } from 'vitest';
import { askClient } from './ask-client.ts';
import type { Client } from './clients/run-client.ts';
import { exceptionOf } from './known-exceptions.ts';
import { ANSWER, type Scenario, SCENARIOS, type ScenarioName } from './scenarios.ts';
import { placeFor } from './start-place.ts';
import { PROTOCOL_NAMES } from './upstream/scripted-upstreams.ts';

/** Every client, on every kind of provider, in every scenario. */
export function testClients(clients: Readonly<Record<string, Client>>): void {
  describe.each(Object.entries(clients))('%s', (name, client) => {
    describe.each(PROTOCOL_NAMES)('on %s', (protocol) => {
      const place = placeFor(protocol);

      test.for(Object.entries(SCENARIOS) as [ScenarioName, Scenario][])('%s', async ([title, scenario], context) => {
        const exception = exceptionOf(name, protocol, title);
        if (exception !== undefined) await context.annotate(exception.reason, 'known exception');
        const reads = exception === undefined ? scenario.reads : exception.says;

        const { output, refusals, asked } = await askClient(place(), client, scenario.script);

        expect(exception?.isRefused === true ? [] : refusals).toEqual([]);
        expect(asked).toBeGreaterThanOrEqual(exception === undefined ? scenario.asks : 1);
        for (const text of reads) expect(output).toContain(text);
        expect(output.includes(ANSWER)).toBe(reads.includes(ANSWER));
      });
    });
  });
}
