import { openTestDoor, tempFolder, type TestDoor } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import type { Blob } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import { contextMigrations } from '../context-migrations.ts';
import { BlobStore } from '../index/blobs/blob-store.ts';
import { BlobsetStore } from '../index/checkpoints/blobset-store.ts';
import { CheckpointStore } from '../index/checkpoints/checkpoint-store.ts';
import type { CodeIndex } from '../index/code-index.ts';
import { CommitSearch } from '../index/commits/commit-search.ts';
import { openCodeIndex } from '../index/open-code-index.ts';
import { localBlobServer } from '../index/blobs/local-blob-server.ts';
import { WorkspaceStore } from '../sync/workspace-store.ts';
import { LocalWorkspaces } from '../workspaces/local-workspaces.ts';
import type { AskedWorkspace, ContextEngine } from './context-engine.ts';
import { contextHandlers } from './context-handlers.ts';
import { augmentHandlers, contextPlugin } from './context-plugin.ts';

export interface ContextDoor extends TestDoor {
  engine: ContextEngine;
  /** Sends a body and gives the answer's. */
  ask(path: string, body: unknown, headers?: Record<string, string>): Promise<Record<string, unknown>>;
}

export interface ContextDoorOptions {
  workspaces?: readonly Omit<AskedWorkspace, 'isHere'>[];
  /** Stands before the real index. */
  wrapIndex?: (index: CodeIndex) => CodeIndex;
  /** Settings of the door. */
  server?: Parameters<typeof openTestDoor>[0];
}

/** The context engine on a real door, its Augment paths included, as the gateway mounts them. */
export async function openContextDoor({
  workspaces = [],
  wrapIndex = (index) => index,
  server = {},
}: ContextDoorOptions = {}): Promise<ContextDoor> {
  let engine: ContextEngine | undefined;
  const door = await openTestDoor(
    server,
    async (instance, { store }) => {
      const blobs = new BlobStore(store);
      const log = { trace: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
      const index = openCodeIndex({ folder: tempFolder(), store, blobs, log });
      onTestFinished(() => index.close());
      engine = {
        blobs,
        checkpoints: new CheckpointStore(store, blobs),
        blobsets: new BlobsetStore(store),
        index: wrapIndex(index),
        commits: new CommitSearch(),
        workspaces: () => Promise.resolve(workspaces.map((workspace) => ({ ...workspace, isHere: true }))),
        indexWaitMs: 600_000, // A busy machine takes its time.
      };
      const maxBlobBytes = () => 1_048_576;
      const local = new LocalWorkspaces({
        store: new WorkspaceStore(store),
        blobs,
        index,
        serverOf: (userId) => localBlobServer({ blobs, index, maxBlobBytes: maxBlobBytes() }, userId),
        log,
        watch: false,
        maxBlobBytes,
      });
      const handlers = contextHandlers(engine, local);
      for (const [path, handler] of Object.entries(augmentHandlers(() => Promise.resolve(handlers))))
        instance.post(path, { config: { access: 'member', body: 'upload' } }, handler);
      await instance.register(contextPlugin, { handlers: () => Promise.resolve(handlers) });
    },
    [contextMigrations],
  );
  return {
    ...door,
    engine: engine!,
    async ask(path, body, headers = {}) {
      const answer = await door.call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: answer.status, ...answer.body };
    },
  };
}

export function toWire({ blobName, path, content }: Blob): Record<'blob_name' | 'path' | 'content', string> {
  return { blob_name: blobName, path, content };
}

/** A view as a workspace gives one. */
export function viewOf(names: readonly string[]): BlobView {
  return { key: names.join(), blobNames: new Set(names) };
}
