import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { howToRun } from '../how-to-run.ts';
import type { ConsoleAssets } from './console-assets.ts';

/** Where the console is built to; see `packages/web`. Who works on it may name another folder. */
const BUILT =
  process.env['DRAGOMAN_CONSOLE'] === undefined
    ? new URL('../../console/', import.meta.url)
    : pathToFileURL(`${process.env['DRAGOMAN_CONSOLE']}/`);

/** Where files with their hash in their name are. */
export const BUILT_ASSETS: string = fileURLToPath(new URL('assets/', BUILT));

/** Every address of the console. One document serves them all, and shows the page that the address names. */
const PAGES = ['/', '/login', '/new', '/sessions', '/sessions/:sessionId', '/gateway', '/context', '/settings'];

/** Files that are asked for by a fixed name, and so may change behind it. */
const NAMED_FILES = ['/icon.svg', '/manifest.webmanifest', '/theme.js'];

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Workers live outside of pages and have a policy of their own: they ask this server, and load nothing. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

const HASHED = 'public, max-age=31536000, immutable';

const NOT_BUILT = 'The console is not built. Build it with: npm run build:console\n';

/**
 * The console's pages: the built files of `packages/web`, packed when they were built.
 *
 * They hold nothing secret, so they are open to everybody; what they show is asked for with the browser's login. What another
 * version asks for may be among the files that servers on the same database keep.
 */
export function consolePages(
  door: FastifyInstance,
  { elsewhere }: { elsewhere?: Pick<ConsoleAssets, 'read'> | undefined } = {},
): void {
  const isPublic = { config: { access: 'public', isQuiet: true } } as const;
  for (const page of PAGES) door.get(page, isPublic, (_request, reply) => sendPage(reply));
  for (const file of NAMED_FILES)
    door.get(file, isPublic, (request, reply) => sendFile(request, reply, file.slice(1), 'no-cache'));
  // An answer given in a notification is sent from there.
  door.get('/service-worker.js', isPublic, (request, reply) => {
    reply.header('content-security-policy', WORKER_POLICY);
    return sendFile(request, reply, 'service-worker.js', 'no-cache');
  });
  door.get('/diagram-frame', isPublic, (_request, reply) => sendDiagramFrame(reply));
  // These have their hash in their name.
  door.get('/assets/:file', isPublic, (request, reply) => {
    const { file } = request.params as { file: string };
    if (file.startsWith('live-worker-')) reply.header('content-security-policy', WORKER_POLICY);
    // The frame that loads it is of no origin, and so of another one than this.
    if (file.startsWith('diagram-frame-')) reply.header('cross-origin-resource-policy', 'cross-origin');
    if (elsewhere !== undefined && isPlain(file) && !existsSync(`${BUILT_ASSETS}${file}`))
      return sendKept(request, reply, file, elsewhere);
    return sendFile(request, reply, `assets/${file}`, HASHED);
  });
}

/**
 * Scripts and styles of our own only, and nothing inline. The one exception is the style that keeps the page behind a
 * dialog from scrolling, which is made by a library and known by the nonce of this answer.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'", // Diagrams; every other page refuses to be in a frame.
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The document that draws diagrams has one script, and can reach nothing: no address, no login, no page but by what it is asked. */
function framePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
}

function sendDiagramFrame(reply: FastifyReply): FastifyReply {
  return sendDocument(reply.header('x-frame-options', 'SAMEORIGIN'), 'diagram-frame.html', framePolicy);
}

/** The document of the console; an address that is none of its pages is told in it. */
export function sendPage(reply: FastifyReply): FastifyReply {
  return sendDocument(reply, 'index.html', pagePolicy);
}

function sendDocument(reply: FastifyReply, name: string, policy: (nonce: string) => string): FastifyReply {
  const file = new URL(name, BUILT);
  if (!existsSync(file)) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-security-policy', policy(nonce))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(readFileSync(file, 'utf8').replace('__NONCE__', nonce).replace('__COMMAND__', howToRun('').trim()));
}

async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  elsewhere: Pick<ConsoleAssets, 'read'>,
): Promise<FastifyReply> {
  const type = TYPES[extname(name)];
  const kept = type === undefined ? undefined : await elsewhere.read(name);
  if (type === undefined || kept === undefined) return sendMissing(reply);
  const isSentPacked = kept.isPacked && takesBrotli(request);
  if (isSentPacked) reply.header('content-encoding', 'br');
  const body = kept.isPacked && !isSentPacked ? await unpack(kept.body) : kept.body;
  return reply.header('vary', 'accept-encoding').header('cache-control', HASHED).type(type).send(body);
}

const unpack = promisify(brotliDecompress);

function sendMissing(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
}

function takesBrotli(request: FastifyRequest): boolean {
  return /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
}

/** The name of an asset is one part of a path, but an encoded slash is decoded before it comes here. */
function isPlain(name: string): boolean {
  return /^[\w./-]{1,200}$/.test(name) && !name.includes('..');
}

function sendFile(request: FastifyRequest, reply: FastifyReply, name: string, caching: string): FastifyReply {
  const type = TYPES[extname(name)];
  const path = isPlain(name) ? fileURLToPath(new URL(name, BUILT)) : '';
  if (type === undefined || !existsSync(path)) return sendMissing(reply);
  const isSentPacked = takesBrotli(request) && existsSync(`${path}.br`);
  if (isSentPacked) reply.header('content-encoding', 'br');
  return reply
    .header('vary', 'accept-encoding')
    .header('cache-control', caching)
    .type(type)
    .send(readFileSync(isSentPacked ? `${path}.br` : path));
}
