import { join } from 'node:path';
import type { Setup } from './load-setup.ts';

/** Where the runner of this machine keeps what is between it and a hub. */
export function runnerFolder(setup: Pick<Setup, 'folder'>, hubUrl: string | undefined): string {
  return join(setup.folder.path, 'runner', placeOf(hubUrl));
}

/** A folder for each hub that this machine answers to: its outbox and its worktrees are between the two. */
function placeOf(hubUrl: string | undefined): string {
  return hubUrl === undefined ? 'server' : new URL(hubUrl).host.replaceAll(/[^\w.-]/g, '_');
}
