import { onTestFinished } from 'vitest';
import * as vscode from 'vscode';
import type { ExtensionParts } from '../extension-parts.ts';
import type { ServerLink } from '../server/server-link.ts';
import { openSettingsStore } from '../settings/settings-store.ts';
import { standInContext } from '../vscode.fixture.ts';

/** The parts of the extension around a link. */
export function partsAround<Link extends ServerLink>(link: Link, storage: string): ExtensionParts & { link: Link } {
  const context = standInContext(storage);
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  return { context, log, link, settings: openSettingsStore(context) };
}

/** Undoes it when the test is over. */
export function untilTestEnds<Part extends vscode.Disposable>(part: Part): Part {
  onTestFinished(() => void part.dispose());
  return part;
}

/** Waits for an event. */
export function next(event: vscode.Event<void>): Promise<void> {
  return new Promise((resolve) => {
    const listening = event(() => {
      listening.dispose();
      resolve();
    });
  });
}
