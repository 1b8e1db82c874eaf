import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type * as vscode from 'vscode';
import type { ServerSettings } from '../settings/server-settings.ts';
import { standInContext, type StandInEditor } from '../vscode.fixture.ts';
import { findServer } from './find-server.ts';
import { openServerLink } from './open-server-link.ts';
import type { ServerLink } from './server-link.ts';

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/dragoman.js', import.meta.url));

/** One installation of the extension: what its windows share. */
export interface Installation {
  storage: string;
  home: string;
  /** Shared by the windows, as in an editor. */
  context: vscode.ExtensionContext;
  /** What the panel says, for the next start. */
  settings: ServerSettings;
  logged: string[];
  /** What the windows have in their environment. */
  env: NodeJS.ProcessEnv;
  openWindow(options?: { gapMs?: number }): ServerLink;
}

/**
 * An installation whose server is the real program, from its sources. Whatever runs on its data folder when the test is
 * over is ended.
 */
export function install(editor: StandInEditor, folder: string): Installation {
  const command = join(folder, 'dragoman');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" --conditions=@dragoman/source "${PROGRAM}" "$@"\n`);
  chmodSync(command, 0o755);
  editor.settings['dragoman.serverCommand'] = command;
  return installAt(folder);
}

/** An installation with the server that is in `dist/server` of the given folder. */
export function installAt(folder: string, extensionFolder = folder): Installation {
  const storage = join(folder, 'storage');
  mkdirSync(storage, { recursive: true });
  const home = join(storage, 'home');
  const context = standInContext(storage, extensionFolder);
  const logged: string[] = [];
  const installation: Installation = {
    storage,
    home,
    context,
    settings: { configuration: {}, environment: {} },
    logged,
    // A person's own server on this machine is none of the test's business.
    env: { PATH: process.env['PATH'], DRAGOMAN_HOME: join(folder, 'persons') },
    openWindow(options) {
      const link = openServerLink(
        {
          context,
          settings: { serverSettings: async () => installation.settings },
          log: { info: (text) => void logged.push(text), warn: (text) => void logged.push(text) },
          env: installation.env,
        },
        options,
      );
      onTestFinished(() => link.dispose());
      return link;
    },
  };
  onTestFinished(async () => {
    for (const name of readdirSync(storage).filter((entry) => entry.startsWith('home'))) {
      const found = await findServer(join(storage, name));
      if (found !== undefined) await kill(found.pid);
    }
  });
  return installation;
}

/** Waits until the link is in a state. */
export function untilState(link: ServerLink, kind: ServerLink['state']['kind']): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (link.state.kind !== kind) return;
      listening.dispose();
      resolve();
    };
    const listening = link.onDidChange(look);
    look();
  });
}

/** Ends a process that may have ended by itself. */
export async function kill(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await untilGone(pid);
}

/** Waits for the end of a process. */
export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
