import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closedPort, fillDisk, mountSmallDisk, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('before the first start everything is well and nothing is made', async () => {
  const home = join(tempFolder(), 'not-yet');

  const { exitCode, stdout } = await runDragoman(['doctor', '--json'], { home });

  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).findings).toEqual([
    { subject: 'node', isWell: true, says: process.versions.node },
    { subject: 'data folder', isWell: true, says: `${home} will be created on the first start` },
    {
      subject: 'configuration',
      isWell: true,
      says: `${join(home, 'dragoman.json')} does not exist; using defaults`,
    },
    { subject: 'secrets', isWell: true, says: '0 stored' },
    {
      subject: 'database',
      isWell: true,
      says: expect.stringMatching(
        /^sqlite: The database .*not-yet.dragoman\.sqlite, \d+ migrations pending until the next start$/,
      ) as string,
    },
    { subject: 'server', isWell: true, says: 'not running' },
    {
      subject: 'word vectors',
      isWell: true,
      says: expect.stringMatching(/^\d+ words of 256 dimensions: .+vectors\.bin$/) as string,
    },
    { subject: 'clients', isWell: true, says: 'no problems reported' },
    { subject: 'channels', isWell: true, says: 'none set up' },
    { subject: 'git', isWell: true, says: expect.stringMatching(/\/git$|^There is no git/) as string },
    { subject: 'ripgrep', isWell: true, says: expect.stringMatching(/rg$/) as string },
    { subject: 'sandbox', isWell: true, says: expect.any(String) as string },
    { subject: 'MCP servers', isWell: true, says: 'none set up' },
    { subject: 'sessions', isWell: true, says: '0 stored' },
    {
      subject: 'agents',
      isWell: true,
      says: expect.stringMatching(/^\d+ of \d+ ready: native, chat\b/) as string,
    },
  ]);
  expect(existsSync(home)).toBe(false);
});

test('without --all there is a line for each thing that was looked at, and what the whole comes to', async () => {
  const home = tempFolder();
  const bin = tempFolder();
  writeFileSync(join(bin, 'opencode'), '#!/bin/sh\necho "its database is damaged" >&2\nexit 7\n', { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin` };

  const { stdout } = await runDragoman(['doctor'], { home, env });
  expect(stdout).toMatch(
    /\n-- +agent opencode +OpenCode does not start: \(opencode acp\) exited with code 7: its database is damaged\n/,
  );
  expect(stdout).toMatch(/\n\nNo problems found\. For all agents and settings: .+ doctor --all\n$/);
  expect(stdout).not.toMatch(/server\.port|npm install -g/);
  expect(stdout.trim().split('\n').length).toBeLessThan(25);

  writeFileSync(join(home, 'dragoman.json'), '{ "sever": {} }');
  const wrong = await runDragoman(['doctor'], { home, env });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toMatch(/\n\n1 problem found\. /);
});

test('a running server is found, and each setting stands with where it came from', async () => {
  const home = tempFolder();
  writeFileSync(
    join(home, 'dragoman.json'),
    '{\n  "log": { "level": "{env:LEVEL}" },\n  "server": { "publicUrl": "https://d.example" }\n}',
  );
  const env = { LEVEL: 'warn' };
  const server = await serveDragoman([], { home, env });

  const { stdout } = await runDragoman(['doctor', '--all'], { home, env });

  expect(stdout).toContain(`running at ${server.url} (process ${server.process.pid})`);
  expect(stdout).toMatch(/server\.port +4747 +default\n/);
  expect(stdout).toMatch(new RegExp(`server\\.publicUrl +"https://d.example" +${join(home, 'dragoman.json')}:3:28\n`));
  expect(stdout).toMatch(/log\.level +•••••• +\S+dragoman\.json:2:21 through env:LEVEL\n/);
});

test('a database that does not answer is a finding, and the exit code says so', async () => {
  const port = await closedPort();

  const { exitCode, stdout } = await runDragoman(['doctor'], {
    env: { DRAGOMAN_DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/work` },
  });

  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    `FAIL  database       The PostgreSQL database work at 127.0.0.1:${port} cannot be opened: connect ECONNREFUSED`,
  );
  expect(stdout).not.toContain('hunter2');
});

test('what the configuration says of agents is held against what is there: folders, routes, models', async () => {
  const home = tempFolder();
  const there = tempFolder();
  const examine = async (config: object) => {
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
    const { exitCode, stdout } = await runDragoman(['doctor', '--json'], { home });
    const { findings } = JSON.parse(stdout) as { findings: { subject: string; isWell: boolean; says: string }[] };
    const wrong = findings.filter(({ isWell }) => !isWell).map(({ subject, says }) => `${subject}: ${says}`);
    return { exitCode, wrong, findings };
  };

  const well = await examine({ runner: { folders: [there, '~'] } });
  expect(well).toMatchObject({ exitCode: 0, wrong: [] });
  expect(well.findings).toContainEqual({
    subject: 'folders',
    isWell: true,
    says: `agents may work in ${there}, ~`,
  });

  const wrong = await examine({
    runner: { folders: [there, join(there, 'gone'), join(home, 'dragoman.json')] },
    agents: {
      talk: { backend: 'chat', route: 'nowhere' },
      tuned: { backend: 'native', model: 'nothing' },
      fine: { backend: 'chat', route: 'offline/offline' },
    },
  });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.wrong).toEqual([
    `folders: runner.folders: ${join(there, 'gone')}, ${join(home, 'dragoman.json')} does not exist or is not a folder`,
    expect.stringContaining('agent tuned: There is no model named "nothing".'),
    expect.stringContaining('agent talk: There is no model named "nowhere". Available models: offline/offline.'),
  ]);

  const mistaken = await examine({ runner: { folders: ['code'] }, hub: { approvalMinutes: 0 } });
  expect(mistaken.exitCode).toBe(1);
  expect(mistaken.wrong[0]).toContain('runner.folders[0]: expected a whole path such as "/home/you/code" or "~/code"');
  expect(mistaken.wrong[0]).toContain('hub.approvalMinutes: expected a number greater than 0, found 0');
});

test('what a client reports is shown, without the secrets in it', async () => {
  const server = await serveDragoman();
  await fetch(`${server.url}/report-error`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sanitized_message: `cannot read field x of sk-${'a1'.repeat(12)}` }),
  });

  const { stdout } = await runDragoman(['doctor'], { home: server.home });

  expect(stdout).toMatch(/clients +1 error reported, the last on \S+: cannot read field x of \[API_KEY_REDACTED\]/);
});

test('what the agent works with is told; a sandbox that is missing is wrong only where it is asked for', async () => {
  const home = tempFolder();
  const settings = { mcp: { files: { command: ['x'] }, web: { url: 'https://example.com/mcp', enabled: false } } };
  const write = (more: object) => writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ ...settings, ...more }));
  const env = { PATH: tempFolder() };
  await runDragoman(['run', 'hello'], { home, cwd: tempFolder() });
  write({});

  const well = await runDragoman(['doctor'], { home, env });
  expect(well.exitCode).toBe(0);
  expect(well.stdout).toMatch(
    /ok +git +There is no git on PATH\. Without it, changes to files cannot be taken back\.\n/,
  );
  expect(well.stdout).toMatch(/ok +sandbox +.*bubblewrap/);
  expect(well.stdout).toMatch(/ok +MCP servers +2 set up, 1 of them switched off\n/);
  expect(well.stdout).toMatch(/ok +sessions +1 stored, last used \d{4}-\d\d-\d\d \d\d:\d\d\n/);

  write({ agent: { bash: { sandbox: true } } });
  const wrong = await runDragoman(['doctor'], { home, env });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toMatch(/FAIL +sandbox +.*bubblewrap/);
});

test('each agent is told with what it needs; one that is missing is wrong only where the configuration names it [UAP-21, UAP-26]', async () => {
  const home = tempFolder();
  const env = { PATH: tempFolder() };
  const examine = async () => runDragoman(['doctor', '--all'], { home, env });

  const well = await examine();
  expect(well.exitCode).toBe(0);
  expect(well.stdout).toMatch(/ok +agents +\d of \d+ ready: native, chat\b/);
  expect(well.stdout).toMatch(/\nagent +kind +to start it\nnative +native +ready\nchat +chat +ready\n/);
  expect(well.stdout).toMatch(/\nclaude +claude +npm install -g @anthropic-ai\/claude-code\n/);
  expect(well.stdout).toMatch(/\ngemini +acp +npm install -g @google\/gemini-cli\n/);

  const agents = {
    mine: { backend: 'text', command: ['./agent.sh'] },
    gemini: { backend: 'acp', command: ['gemini'] },
  };
  writeFileSync(join(home, 'agent.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ agents }));
  const wrong = await examine();
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toMatch(/\nmine +text +ready\n/);
  expect(wrong.stdout).toMatch(/FAIL +agent gemini +.*"gemini" is not on the PATH of this machine/);

  const { stdout } = await runDragoman(['doctor', '--json'], { home, env });
  expect(JSON.parse(stdout).agents).toContainEqual({
    name: 'mine',
    backend: 'text',
    capabilities: expect.any(Object) as object,
  });
});

test.for(['a folder that was used', 'one that is made first'])(
  'that the disk is full is a problem in %s, in the words of a start (needs the right to mount)',
  async (which, { skip }) => {
    const disk = tempFolder();
    if (!mountSmallDisk(disk, 4)) skip('small disks cannot be made here');
    const home = which === 'a folder that was used' ? disk : join(disk, 'home');
    const makeRoom = fillDisk(disk, 0);

    const { exitCode, stdout } = await runDragoman(['doctor', '--json'], { home });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).findings[1]).toEqual({
      subject: 'data folder',
      isWell: false,
      says: `The disk of the data folder ${home} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`,
    });
    expect((await runDragoman(['serve', '--port', '0'], { home })).stderr).toContain(
      JSON.parse(stdout).findings[1].says as string,
    );

    makeRoom();
    expect((await runDragoman(['doctor'], { home })).exitCode).toBe(0);
  },
);
