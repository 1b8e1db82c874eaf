import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type StandInAugment,
  standInAugment,
  type StandInReport,
  startFakeProvider,
  tempFolder,
} from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { says, saysAtOnce } from './hub.fixture.ts';
import { fillPanel, openPanel, pressInPanel } from './vscode-panel.fixture.ts';
import { contentsOf } from './vscode-search.fixture.ts';
import { answer, notice, runCommand } from './vscode-window.fixture.ts';
import {
  type Editor,
  openEditor,
  PATIENCE,
  picture,
  projectOf,
  SHOP,
  statusItem,
  userSettings,
} from './vscode.fixture.ts';

const KEY = 'sk-never-shown-0123456789';
/** What somebody already had in their settings. */
const BEFORE = {
  'editor.tabSize': 3,
  'augment.advanced': { model: 'kept', apiToken: 'OLD', mcpServers: [{ name: 'a' }] },
};
const WELL = {
  '/get-models': 200,
  '/chat-stream': 200,
  '/chat-stream as agent': 200,
  '/completion': 200,
  '/edit': 200,
};
/** What the provider says when it is asked for the whole answer at once, as for a completion. */
const WHOLE = saysAtOnce('const b = 1;');

test('connected by its setting, the stand-in asks our server for everything with a token of its own, and Disconnect revokes it and puts the file back to the letter (with the real Augment extension only by hand: docs/release-checklist.md) [EDITOR-06, EDITOR-12]', async () => {
  const augment = await standInAugment(tempFolder());
  const editor = await openEditor({ vsix: [augment.vsix], env: augment.env, settings: BEFORE });
  // A person's file has comments, and commas that are not needed.
  const commented = /"model": "kept",\s*/;
  writeFileSync(fileOf(editor), textOf(editor).replace(commented, '"model": "kept", // the good one\n    /* old */ '));
  const found = textOf(editor);
  const page = await editor.openWindow(projectOf(SHOP));
  await heard(augment, 'activated', ({ settings }) => settings.apiToken === 'OLD');

  // The values are shown before anything is written.
  await runCommand(page, 'Dragoman: Connect Augment Extension');
  await notice(page, /completionURL: http:\/\/127\.0\.0\.1:\d+\//).waitFor();
  await picture(page, 'augment-ask');
  expect(textOf(editor)).toBe(found);
  await answer(page, 'Connect the Augment extension', 'Connect');
  const { url } = await editor.server();
  const { settings } = await heard(augment, 'changed', (report) => report.settings.completionURL === `${url}/`);
  expect(settings.apiToken).toMatch(/^DGM_[A-Z2-7]{40}$/);
  await notice(page, 'now uses your server').waitFor();
  await picture(page, 'augment-connected');
  for (const kept of ['"model": "kept", // the good one', `/* old */ "apiToken": "${settings.apiToken}"`])
    expect(textOf(editor)).toContain(kept);
  expect(textOf(editor)).toContain('"settingsSync.ignoredSettings": ["augment.advanced"]');
  expect(await statusWith(settings.apiToken, `${url}/api/settings`)).toBe(403);

  // Chat, agent, completion and edit are answered, with the token in capitals and without an account.
  await runCommand(page, 'Stand-in Augment: Ask everything');
  const asked = await heard(augment, 'asked');
  expect(statuses(asked)).toEqual(WELL);
  expect(asked.answers!['/chat-stream as agent']!.text).toContain('"tool_name":"codebase-retrieval"');
  // The offline model writes nothing into the person's code.
  expect(JSON.parse(asked.answers!['/completion']!.text)).toMatchObject({ completion_items: [] });
  expect(JSON.parse(asked.answers!['/edit']!.text)).toMatchObject({ text: 'const a = 1;\n' });
  await picture(page, 'augment-asked');

  await runCommand(page, 'Dragoman: Disconnect and Restore Settings');
  await vi.waitFor(() => expect(textOf(editor)).toBe(found), PATIENCE);
  await heard(augment, 'changed', (report) => report.settings.apiToken === 'OLD');
  expect(await statusWith(settings.apiToken, `${url}/api/me`)).toBe(401);
});

test('connected in memory, what the stand-in reads from `_getRawSettings` leads to our server, nothing is written, and the globals hold no key and no token (with the real Augment extension only by hand: docs/release-checklist.md) [EDITOR-01, EDITOR-02, EDITOR-03, EDITOR-04]', async () => {
  const provider = await startFakeProvider();
  provider.answer(says('ready'), WHOLE);
  const augment = await standInAugment(tempFolder());
  const editor = await openEditor({ vsix: [augment.vsix], env: augment.env, settings: BEFORE });
  const page = await editor.openWindow(projectOf(SHOP));
  const found = userSettings(editor);
  const extension = () => contentsOf(join(editor.folder, 'extensions', 'augment.vscode-augment-0.0.1'));
  const installed = extension();
  await heard(augment, 'activated');
  const panel = await openPanel(page);
  await fillPanel(panel, { baseUrl: `${provider.url}/v1`, apiKey: KEY, model: 'test-model' });
  await pressInPanel(panel, 'save', 'Saved. The server is ready.');

  await runCommand(page, 'Dragoman: Connect Augment Extension');
  await answer(page, 'Connect the Augment extension', 'Keep the address out of my settings');
  // The other extension has started long ago; it sees the overlay from its next start on.
  await answer(page, 'has already started', 'Reload Window');
  const { url } = await editor.server();
  const started = await heard(augment, 'activated', (report) => report.settings.completionURL === `${url}/`);
  expect(started.ways).toMatchObject({
    property: { model: 'kept', completionURL: `${url}/` },
    dotted: `${url}/`,
    section: `${url}/`,
    root: { completionURL: `${url}/` },
  });
  await statusItem(page).waitFor();
  await runCommand(page, 'Stand-in Augment: Ask everything');
  const asked = await heard(augment, 'asked');
  expect(statuses(asked)).toEqual(WELL);
  expect(asked.settings.apiToken).toMatch(/^DGM_[A-Z2-7]{40}$/);
  expect(asked.answers?.['/chat-stream']?.text).toContain('ready');
  expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);

  expect(Object.keys(asked.globals ?? {}).toSorted()).toEqual([
    '__AUGMENT_BYOK_OVERLAY',
    '__AUGMENT_BYOK_SERVER',
    '__AUGMENT_BYOK_UPSTREAM',
  ]);
  expect(asked.globals?.['__AUGMENT_BYOK_OVERLAY']).toContain(`${url}/`);
  expect(asked.globals?.['__AUGMENT_BYOK_UPSTREAM']).toContain('test-model');
  expect(asked.globals?.['__AUGMENT_BYOK_SERVER']).toContain(url);
  for (const secret of [KEY, asked.settings.apiToken]) expect(JSON.stringify(asked.globals)).not.toContain(secret);
  expect(userSettings(editor)).toEqual(found);
  expect(extension()).toEqual(installed);

  // The listener hears that its settings are its own again.
  await runCommand(page, 'Dragoman: Disconnect and Restore Settings');
  await heard(augment, 'changed', (report) => report.settings.apiToken === 'OLD');
  expect(userSettings(editor)).toEqual(found);
});

function fileOf({ userData }: Editor): string {
  return join(userData, 'User', 'settings.json');
}

/** The person's settings.json, to the letter. */
function textOf(editor: Editor): string {
  return readFileSync(fileOf(editor), 'utf8');
}

async function statusWith(token: string, address: string): Promise<number> {
  return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status;
}

/** The latest report of a kind that says what is waited for. */
function heard(
  augment: StandInAugment,
  kind: StandInReport['kind'],
  isIt: (report: StandInReport) => boolean = () => true,
): Promise<StandInReport> {
  return vi.waitFor(() => {
    const report = augment.reports().findLast((each) => each.kind === kind && isIt(each));
    if (report === undefined) throw new Error(`not heard among ${JSON.stringify(augment.reports())}`);
    return report;
  }, PATIENCE);
}

function statuses({ answers = {} }: StandInReport): Record<string, number> {
  return Object.fromEntries(Object.entries(answers).map(([path, { status }]) => [path, status]));
}
