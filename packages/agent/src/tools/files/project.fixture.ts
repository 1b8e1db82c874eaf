import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import type { PermissionSubject } from '@dragoman/protocol';
import type { Tool } from '../tool.ts';
import { fileTools, type FileToolsOptions } from './file-tools.ts';
import { SeenFiles } from './seen-files.ts';

/** A folder with files, and the tools at work in it. */
export function project(files: Record<string, string | Uint8Array> = {}, options: Partial<FileToolsOptions> = {}) {
  const root = realpathSync(tempFolder());
  const seen = new SeenFiles();
  const tools = fileTools({ seen, ...options });
  const path = (name: string) => join(root, name);
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  const context = (changes: Partial<Tool.Context> = {}): Tool.Context => ({
    sessionID: 'ses_1',
    messageID: 'msg_1',
    callID: 'call_1',
    agent: 'build',
    cwd: root,
    root,
    abort: new AbortController().signal,
    metadata: () => {},
    isPermitted: () => true,
    ask: () => Promise.resolve(),
    ...changes,
  });
  const tool = (id: string): Tool.Info => {
    const found = tools.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no tool ${id}`);
    return found;
  };
  return {
    root,
    seen,
    tools,
    path,
    put,
    context,
    content: (name: string) => readFileSync(path(name), 'utf8'),
    bytes: (name: string) => readFileSync(path(name)),
    call: (id: string, input: Record<string, unknown>, changes: Partial<Tool.Context> = {}): Promise<Tool.Result> =>
      tool(id).execute(input, context(changes)),
    subjects: async (
      id: string,
      input: Record<string, unknown>,
      changes: Partial<Tool.Context> = {},
    ): Promise<PermissionSubject[]> => (await tool(id).subjects?.(input, context(changes))) ?? [],
  };
}

/** Subjects that are these paths. */
export function paths(...values: string[]): PermissionSubject[] {
  return values.map((value) => ({ kind: 'path', value }));
}
