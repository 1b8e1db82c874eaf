import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { userValue } from '../settings/borrowed-settings.ts';
import { isSame } from './merge-setting.ts';
import { SETTING } from './put-into-text.ts';

/** How long the editor may take to read what was written, also on a busy machine. */
const LIMIT_MS = 30_000;
const POLL_MS = 100;

/**
 * Whether the setting says these fields now, with everything that has a say in it: a line `"augment.advanced.completionURL"` further down in the
 * person's own file is enough to make it something else. `before` is what it said before it was written; while it says so still, it is waited for.
 */
export async function isInForce(fields: Readonly<Record<string, unknown>>, before: unknown): Promise<boolean> {
  const says = () => {
    const value = vscode.workspace.getConfiguration().get<Record<string, unknown>>(SETTING);
    return Object.entries(fields).every(([name, field]) => value?.[name] === field);
  };
  const last = performance.now() + LIMIT_MS;
  while (!says() && isSame(userValue(SETTING), before) && performance.now() < last) await delay(POLL_MS);
  return says();
}
