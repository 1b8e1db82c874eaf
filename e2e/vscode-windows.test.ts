import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { runCommand, startServer } from './vscode-window.fixture.ts';
import { type Editor, openEditor, PATIENCE, picture, projectOf, SHOP, statusItem } from './vscode.fixture.ts';

/** Long enough for a lease to be taken on a busy machine. */
const GRACE = { DRAGOMAN_EXTENSION_IDLE_SECONDS: '20' };

test('two windows share one server; it outlives a killed window, keeps its port when it is restarted, and is gone after the last window [EDITOR-05]', async () => {
  // In a network of its own, so that nobody else takes the port meanwhile.
  const editor = await openEditor({ env: GRACE, isOffline: true });
  const first = await editor.openWindow(projectOf(SHOP));
  await startServer(first);
  const started = await editor.server();
  expect(started.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await onlyServer(editor, started.pid);
  const firstHost = await onlyHost(editor);

  // The second window finds it by itself.
  const second = await editor.openWindow(projectOf(SHOP));
  await statusItem(second, 'ready').waitFor();
  await onlyServer(editor, started.pid);
  await picture(second, 'second-window');

  // Restarted from one window, it is where it was, and the other window finds it again.
  await runCommand(second, 'Dragoman: Restart Server');
  const restarted = await vi.waitFor(async () => {
    const now = await editor.server();
    expect(now.pid).not.toBe(started.pid);
    return now;
  }, PATIENCE);
  expect(restarted.url).toBe(started.url);
  await statusItem(second, 'ready').waitFor();

  // A killed window says nothing to anybody: the system closes its lease, and the other one's still counts.
  await killWindows(editor, [first], [firstHost]);
  const third = await editor.openWindow(projectOf(SHOP));
  await statusItem(third, 'ready').waitFor();
  await onlyServer(editor, restarted.pid);

  await killWindows(editor, [second, third], extensionHosts(editor));
  await vi.waitFor(() => expect(servers(editor)).toEqual([]), PATIENCE);

  // The next one is where the first one was.
  const fourth = await editor.openWindow(projectOf(SHOP));
  await statusItem(fourth, 'ready').waitFor();
  const next = await editor.server();
  expect(next.url).toBe(started.url);
  await onlyServer(editor, next.pid);
});

/** A process that is about to start another looks like two for a moment, and so does a window that comes second. */
function onlyServer(editor: Editor, pid: number): Promise<void> {
  return vi.waitFor(() => expect(servers(editor)).toEqual([pid]), PATIENCE);
}

function onlyHost(editor: Editor): Promise<number> {
  return vi.waitFor(() => {
    const hosts = extensionHosts(editor);
    expect(hosts).toHaveLength(1);
    return hosts[0]!;
  }, PATIENCE);
}

/**
 * Ends windows as a crash does. A page that closes says goodbye, and a host that hears it ends in good order, sooner or later:
 * the hosts are stopped first, so that they hear nothing more.
 */
async function killWindows(editor: Editor, windows: readonly Page[], hosts: readonly number[]): Promise<void> {
  for (const host of hosts) send(host, 'SIGSTOP');
  for (const window of windows) await window.close({ runBeforeUnload: false });
  for (const host of hosts) send(host, 'SIGKILL');
  await vi.waitFor(() => {
    const left = new Set(extensionHosts(editor));
    expect(hosts.filter((host) => left.has(host))).toEqual([]);
  }, PATIENCE);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // Otherwise it is gone already.
  }
}

function servers(editor: Editor): number[] {
  return editor
    .processes()
    .filter(({ args }) => args.includes('serve'))
    .map(({ pid }) => pid);
}

function extensionHosts(editor: Editor): number[] {
  return editor
    .processes()
    .filter(({ args }) => args.includes('--type=extensionHost'))
    .map(({ pid }) => pid);
}
