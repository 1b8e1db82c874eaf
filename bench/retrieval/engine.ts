import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '@dragoman/server';
import type { Blob } from '../../packages/context/src/blob-server.ts';
import { contextMigrations } from '../../packages/context/src/context-migrations.ts';
import { BlobStore } from '../../packages/context/src/index/blobs/blob-store.ts';
import { localBlobServer } from '../../packages/context/src/index/blobs/local-blob-server.ts';
import { openCodeIndex } from '../../packages/context/src/index/open-code-index.ts';
import { readBlob } from '../../packages/context/src/sync/walk/read-blob.ts';
import { startScan } from '../../packages/context/src/sync/walk/start-scan.ts';

// The retrieval benchmark's line protocol over the real index: scan, blob store, segments, ranking.

const USER = 'bench';
const BATCH_FILES = 128;
const BATCH_BYTES = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'dragoman-engine-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const store = await openStore(
  { databaseFile: join(folder, 'store.db'), databaseUrl: undefined },
  { rooms: [contextMigrations], onIdleError: () => {} },
);
const blobs = new BlobStore(store);
const log = { debug: () => {}, warn: (facts: object, text: string) => console.error(text, facts) };
const index = openCodeIndex({ folder: join(folder, 'index'), store, blobs, log });
const server = localBlobServer({ blobs, index }, USER);
let view = { key: '', blobNames: new Set<string>() };

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const answer = await respond(JSON.parse(line) as Request).catch((error: unknown) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await index.close();
await store.close();

type Request = { op: 'index'; dir: string; root?: string } | { op: 'search'; query: string; k?: number };

async function respond(request: Request): Promise<object> {
  if (request.op === 'index') return indexFolder(request.dir, request.root ?? '');
  const hits = await index.search(view, { query: request.query, limit: request.k ?? 20 });
  return { results: hits.map(({ path, start, end, symbol, score }) => ({ path, start, end, symbol, score })) };
}

/** The scope is a folder of the repository; paths stay relative to the repository. */
async function indexFolder(dir: string, root: string): Promise<object> {
  const names = new Set<string>();
  let bytes = 0;
  let batch: Blob[] = [];
  let batchBytes = 0;
  const send = async () => {
    if (batch.length > 0) await server.batchUpload(batch);
    batch = [];
    batchBytes = 0;
  };
  for await (const { files } of startScan({ root: dir, ...(root !== '' && { paths: [root] }) })) {
    for (const { path, blobName } of files) {
      if (blobName === undefined) continue;
      const blob = readBlob(dir, path);
      if (!('content' in blob)) continue;
      const size = Buffer.byteLength(blob.content);
      if (batch.length === BATCH_FILES || batchBytes + size > BATCH_BYTES) await send();
      batch.push({ blobName: blob.blobName, path, content: blob.content });
      batchBytes += size;
      bytes += size;
      names.add(blob.blobName);
    }
  }
  await send();
  await server.whenIndexed!([...names]);
  view = { key: `${dir}\n${root}`, blobNames: names };
  return { ok: true, files: names.size, bytes, index_bytes: bytesIn(join(folder, 'index')) };
}

function bytesIn(path: string): number {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}
