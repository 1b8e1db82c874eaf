import { HUB_ROUTES, type HubCallName, type ApiRoute } from '@dragoman/protocol';
import { rounds, STORE_ENGINES } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';
import { helloOf } from '../scripted-runner.fixture.ts';

/** Streams go on for ever, and a question to a machine waits for its answer. */
const LEFT_OUT: ReadonlySet<string> = new Set<HubCallName>([
  'readEvents',
  'readChanges',
  'readLive',
  'runnerCommands',
  'listFolder',
  'listFiles',
  'findFiles',
  'readFile',
  'listFileChanges',
  'readDiff',
  'stageFiles',
  'discardChanges',
  'commitChanges',
]);
const FIELDS = ['agent', 'folder', 'id', 'text', 'title', 'prompt', 'content', 'optionId', 'seq', 'model', 'records'];

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '\0', '..', '%', "'", '𝄞', '\ud800'),
);
const value = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
  fc.constantFrom('scribe', '/code', 'yes'),
);
const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...FIELDS), value),
  fc.dictionary(fc.constantFrom(...FIELDS), value).map((odd) => ({ ...helloOf(), ...odd })),
  value,
);

for (const engine of STORE_ENGINES) {
  test(`${engine}: whatever is sent to whichever call, the answer is never a failure of the server`, async () => {
    const door = await openHubDoor({ engine });
    await door.runner({ isShared: true });
    const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
    const routes = (Object.entries(HUB_ROUTES) as [HubCallName, ApiRoute][]).filter(([name]) => !LEFT_OUT.has(name));
    const param = fc.oneof(word, fc.constantFrom(id, 'run_desk', 'ses_1'));
    const query = fc.dictionary(fc.constantFrom('after', 'limit', 'q', 'before', 'status', 'folder', 'format'), word);

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), param, query, body, async ([, route], given, asked, sent) => {
        const part = encodeURIComponent(given.toWellFormed()) || 'x';
        const search = new URLSearchParams(asked);
        const path = `${route.path.replace(/:\w+/g, () => part)}?${search.toString()}`;
        const hasBody = route.method === 'POST' || route.method === 'PATCH';
        const { status } = await door.call(path, {
          method: route.method,
          ...(hasBody && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }),
        });
        expect(status).toBeLessThan(500);
      }),
      { seed: 7, numRuns: rounds(10_000), endOnFailure: true },
    );
  });
}
