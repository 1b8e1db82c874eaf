import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { ReadTextFileResponse, WriteTextFileResponse } from '@agentclientprotocol/sdk';
import { inFolder, makeFolder, openReal } from '@dragoman/server/files';
import { countIn, type Fields, textIn } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import { pathBelow, realPath } from '../../backend/session-path.ts';

const INVALID_PARAMS = -32_602;
const NOT_FOUND = -32_002;
/** An editor would not open more either. */
const LARGEST_FILE = 32 * 1024 * 1024;

/** Reads a text file for the agent, or lines of it. Only what really is in the session's folder can be read. */
export async function readTextFile(cwd: string, params: Fields): Promise<ReadTextFileResponse> {
  const content = readReal(pathInside(cwd, params));
  const [line, limit] = [countIn(params, 'line'), countIn(params, 'limit')];
  if (line === undefined && limit === undefined) return { content };
  const from = Math.max(0, (line ?? 1) - 1);
  return {
    content: linesOf(content)
      .slice(from, limit === undefined ? undefined : from + limit)
      .join(''),
  };
}

/** Writes a text file for the agent, and the folders above it. Nothing outside the session's folder is written. */
export async function writeTextFile(cwd: string, params: Fields): Promise<WriteTextFileResponse> {
  const path = pathInside(cwd, params);
  const content = params['content'];
  if (typeof content !== 'string') return refuse('"content" is not a text');
  const found = await lstat(path).catch(() => undefined);
  // A link to nothing leads anywhere.
  if (found?.isSymbolicLink() === true) return refuse(`${path} is a link that leads nowhere`);
  if (found?.isDirectory() === true) return refuse(`${path} is a folder`);
  if (found?.isFile() === false) return refuse(`${path} is not a file`);
  makeFolder(dirname(path));
  inFolder(dirname(path), (folder) => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
    const file = openSync(join(folder, basename(path)), flags, 0o666);
    try {
      writeFileSync(file, content);
    } finally {
      closeSync(file);
    }
  });
  return {};
}

function readReal(path: string): string {
  let opened: ReturnType<typeof openReal>;
  try {
    opened = openReal(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'ENOENT' ? `${path} is not there` : `${path}: ${code ?? message}`, NOT_FOUND);
  }
  const { fd, stats } = opened;
  try {
    if (!stats.isFile()) return refuse(`${path} is not a file`);
    if (stats.size > LARGEST_FILE) return refuse(`${path} is ${stats.size} bytes; the limit is ${LARGEST_FILE}`);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function pathInside(cwd: string, params: Fields): string {
  const path = textIn(params, 'path');
  if (path === undefined || !isAbsolute(path) || path.includes('\0')) return refuse('"path" is not an absolute path');
  const real = realPath(path);
  if (isAbsolute(pathBelow(realPath(cwd), real))) return refuse(`${path} is not in the folder of this session, ${cwd}`);
  return real;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function refuse(message: string, code = INVALID_PARAMS): never {
  throw new JsonRpcError(code, message);
}
