import { DragomanError } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import * as vscode from 'vscode';
import type { RunningServer } from '../server/server-link.ts';

/** Opens the console in the browser, logged in by a link that works once. A token that may not make one opens the login page. */
export async function openConsole({ url, token }: RunningServer): Promise<void> {
  const client = createConsoleClient({ url, token });
  let page = url;
  try {
    const { userId } = await client.me();
    page = (await client.createLoginLink({ userId })).url;
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'forbidden') throw error;
  }
  await vscode.env.openExternal(vscode.Uri.parse(page, true));
}
