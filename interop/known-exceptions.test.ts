import { describe, expect, onTestFinished, test } from 'vitest';
import { askClient } from './ask-client.ts';
import { LIBRARIES, PROGRAMS } from './clients/all-clients.ts';
import { KNOWN_EXCEPTIONS } from './known-exceptions.ts';
import { ANSWER, SCENARIOS } from './scenarios.ts';
import { startScriptedUpstreams } from './upstream/scripted-upstreams.ts';

const CLIENTS = { ...PROGRAMS, ...LIBRARIES };
const compared = KNOWN_EXCEPTIONS.flatMap(({ client, scenario, compared: how }) =>
  'directly' in how ? [{ client, scenario, protocol: how.directly }] : [],
);

describe('without Dragoman', () => {
  test.each(compared)('$client on $protocol: "$scenario" is not so either', async ({ client, scenario, protocol }) => {
    const upstreams = await startScriptedUpstreams();
    onTestFinished(() => upstreams.close());
    const whom = { url: `${upstreams.url}/${protocol}`, token: 'key-of-the-provider', upstreams };

    const { output, refusals, asked } = await askClient(whom, CLIENTS[client]!, SCENARIOS[scenario].script);

    expect(refusals).toEqual([]);
    expect(asked).toBeGreaterThan(0);
    expect(output).not.toContain(ANSWER);
  });
});
