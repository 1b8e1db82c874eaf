import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FinishedRun, runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

/** The benchmark's upstream, which can misbehave; it is plain JavaScript without types. */
interface Mock {
  url: string;
  /** Requests with tools: the steps. */
  requests: { lastContent: string }[];
  /** Others: refused ones and summaries. */
  side: unknown[];
  close(): Promise<void>;
}
type StartMock = (options: Record<string, unknown>) => Promise<Mock>;

const MOCK_FILE = new URL('../bench/agent/mock-upstream.mjs', import.meta.url).href;

/** `dragoman run` against the upstream, with `read` as the tool that it calls. */
async function runScenario(
  scenario: string,
  options: { steps?: number; usage?: number; context?: number; rejections?: number } = {},
): Promise<FinishedRun & Mock> {
  const { startMock } = (await import(MOCK_FILE)) as { startMock: StartMock };
  const project = realpathSync(tempFolder());
  writeFileSync(join(project, 'small.txt'), 'one\ntwo\nthree\n');
  const { steps = 6, usage = 0, context = 200_000, rejections = 1 } = options;
  const args = JSON.stringify({ filePath: join(project, 'small.txt'), limit: '{{step}}' }).replace(/"(\{\{.*)"/, '$1');
  const mock = await startMock({ port: 0, steps, scenario, tool: 'read', args, usage, rejections });
  onTestFinished(() => mock.close());
  const place = ['--base-url', mock.url, '--model', 'mock', '--api-key', 'none', '--context', String(context)];
  const home = tempFolder();
  // A call for a title would stand among those that are counted.
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ agent: { titles: { auto: false } } }));
  return { ...mock, ...(await runDragoman(['run', 'go', ...place], { cwd: project, home })) };
}

const LOOP =
  'The turn was stopped: the tool "read" was called 3 times in a row with the same input and the same result.';

test('the same call step after step ends the turn with the third, which is not run [FR-07, FR-09]', async () => {
  const { exitCode, stdout, stderr, requests } = await runScenario('same');

  expect([exitCode, stderr, requests.length]).toEqual([1, '', 3]);
  expect(stdout.match(/^[✓✗] read small\.txt:1-1/gm)).toEqual(
    ['✓', '✓', '✗'].map((sign) => `${sign} read small.txt:1-1`),
  );
  expect(stdout).toContain(`\n✗ ${LOOP}\n`);
  expect(requests[2]!.lastContent).toContain('Once more and the turn is ended.');
});

test('the same call three times in one step ends the turn in that step [FR-07, FR-09]', async () => {
  const { exitCode, stdout, requests } = await runScenario('parallel-same');

  expect([exitCode, requests.length]).toEqual([1, 1]);
  expect(stdout.match(/^[✓✗] read small\.txt:1-1/gm)).toHaveLength(3);
  expect(stdout).toContain(`\n✗ ${LOOP}\n`);
});

test('arguments that are no JSON are told to the model, which goes on to the end [NFR-05]', async () => {
  const { exitCode, stdout, requests } = await runScenario('bad-args', { steps: 20 });

  expect([exitCode, requests.length]).toEqual([0, 21]);
  expect(requests[1]!.lastContent).toContain('The arguments are not valid JSON');
  expect(stdout).toContain('\ndone\n');
});

test('a tool that does not exist is told to the model with those that do, and it goes on to the end [NFR-05]', async () => {
  const { exitCode, stdout, requests } = await runScenario('unknown-tool');

  expect([exitCode, requests.length]).toEqual([0, 7]);
  expect(requests[1]!.lastContent).toContain('There is no tool named "no_such_tool". The tools are: bash, read,');
  expect(stdout).toContain('\ndone\n');
});

test('a provider that is busy for a moment is asked again, and nobody has to hear of it', async () => {
  const { exitCode, stdout, requests, side } = await runScenario('retry-429');

  expect([exitCode, requests.length, side.length]).toEqual([0, 7, 1]);
  expect(stdout).toMatch(/^✓ read small/);
  expect(stdout).toContain('\ndone\n');
});

test('a provider that stays busy is asked again, the user is told, and the turn succeeds', async () => {
  const { exitCode, stdout, requests, side } = await runScenario('retry-429', { rejections: 2 });

  expect([exitCode, requests.length, side.length]).toEqual([0, 7, 2]);
  expect(stdout).toMatch(/^↻ the provider is busy; retrying/);
  expect(stdout).toContain('\ndone\n');
});

test('a context that stays nearly full ends the turn within two compactions, with an error of its own', async () => {
  const { exitCode, stdout, side } = await runScenario('tool', { steps: 20, usage: 58_000, context: 60_000 });

  expect(exitCode).toBe(1);
  expect(side.length).toBeLessThanOrEqual(2);
  expect(stdout.match(/^≡ /gm)!.length).toBeLessThanOrEqual(2);
  expect(stdout).toMatch(/\n✗ The conversation is too long for the model: \d+ tokens after \d summaries/);
});
