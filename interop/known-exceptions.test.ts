import { describe, expect, onTestFinished, test } from 'vitest';
import { askClient } from './ask-client.ts';
import { LIBRARIES, PROGRAMS } from './clients/all-clients.ts';
import { KNOWN_EXCEPTIONS } from './known-exceptions.ts';
import { SCENARIOS } from './scenarios.ts';
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

    const { output, asked } = await askClient(whom, CLIENTS[client]!, SCENARIOS[scenario].script);

    expect(asked).toBeGreaterThan(0);
    for (const text of SCENARIOS[scenario].reads) expect(output).not.toContain(text);
  });
});
