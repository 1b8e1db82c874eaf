import { lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import type { ReadTextFileResponse, WriteTextFileResponse } from '@agentclientprotocol/sdk';
import { countIn, type Fields, textIn } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import { pathBelow, realPath } from '../../backend/session-path.ts';

const INVALID_PARAMS = -32_602;
const NOT_FOUND = -32_002;
/** An editor would not open more either. */
const LARGEST_FILE = 32 * 1024 * 1024;

/** Reads a text file for the agent, or lines of it. Only what really is in the session's folder can be read. */
export async function readTextFile(cwd: string, params: Fields): Promise<ReadTextFileResponse> {
  const path = pathInside(cwd, params);
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : refuse(`${path} is not a file`)),
    (error: NodeJS.ErrnoException) =>
      refuse(error.code === 'ENOENT' ? `${path} is not there` : `${path}: ${error.code}`, NOT_FOUND),
  );
  if (size > LARGEST_FILE) return refuse(`${path} is ${size} bytes; the limit is ${LARGEST_FILE}`);
  const content = await readFile(path, 'utf8');
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
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return {};
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
