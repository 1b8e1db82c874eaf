import {
  DragomanError,
  type ModelPatterns,
  modelPatternsSchema,
  type TokenRole,
  tokenRoleSchema,
} from '@dragoman/protocol';
import { findProven, isLoopback, OWNER_NAME, type TokenInfo } from '@dragoman/server';
import type { CommonOptions } from '../load-setup.ts';
import { parseExpiry } from '../parse-expiry.ts';
import { formatMoment } from '../format-moment.ts';
import { formatTable } from '../format-table.ts';
import { print, printError, printJson } from '../terminal/print.ts';
import { withTokens } from '../with-tokens.ts';

interface JsonOption extends CommonOptions {
  json?: boolean;
}

export async function createToken(
  name: string,
  options: JsonOption & { user?: string; role?: string; expires?: string; models?: string },
): Promise<void> {
  const expiresAt = options.expires === undefined ? null : parseExpiry(options.expires, Date.now());
  const role = options.role === undefined ? undefined : readRole(options.role);
  const models = options.models === undefined ? undefined : readModels(options.models);
  await withTokens(options, async (tokens) => {
    const user =
      options.user === undefined
        ? await tokens.openUser(OWNER_NAME, 'admin')
        : await tokens.openUser(options.user, role === undefined || role === 'models' ? 'member' : role);
    const { id, text } = await tokens.createToken({ user, name, role: role ?? user.role, expiresAt, models });
    if (options.json === true) {
      printJson({ id, token: text });
      return;
    }
    print(text);
    const madeUser = user.isNew && options.user !== undefined ? ` Created the user ${user.name}.` : '';
    printError(`It won't be shown again.${madeUser}`);
  });
}

export async function listTokens(options: JsonOption): Promise<void> {
  const list = await withTokens(options, (tokens) => tokens.list());
  if (options.json === true) printJson(list, 2);
  else if (list.length === 0) print('No tokens yet. Create one with: dragoman token create NAME');
  else print(formatTable(['id', 'name', 'user', 'role', 'models', 'made', 'last used', 'state'], list.map(toTableRow)));
}

export async function revokeToken(idOrName: string, options: JsonOption): Promise<void> {
  const revoked = await withTokens(options, (tokens) => tokens.revoke(idOrName));
  if (options.json === true) printJson(revoked);
  else print(`Revoked the token "${revoked.name}" of ${revoked.user}.`);
}

export async function createLink(options: JsonOption & { user?: string }): Promise<void> {
  const link = await withTokens(options, async (tokens, { folder, config }) => {
    const user =
      options.user === undefined ? await tokens.openUser(OWNER_NAME, 'admin') : await tokens.findUser(options.user);
    const { publicUrl, host, port } = config.value.server;
    const running = await findProven(folder);
    if (running === undefined) printError('The server is not running. Start it before you open the link.');
    const url =
      publicUrl?.replace(/\/$/, '') ?? running?.url ?? `http://${isLoopback(host) ? host : '127.0.0.1'}:${port}`;
    return `${url}/login#${await tokens.createLoginCode(user.id)}`;
  });
  if (options.json === true) printJson({ link });
  else print(link);
}

function readRole(text: string): TokenRole {
  const role = tokenRoleSchema.safeParse(text);
  if (!role.success)
    throw new DragomanError(
      'bad-request',
      `--role: expected ${tokenRoleSchema.options.join(', ')}, found ${JSON.stringify(text)}`,
    );
  return role.data;
}

function readModels(text: string): ModelPatterns {
  const models = modelPatternsSchema.safeParse(text.split(','));
  if (models.success) return models.data;
  const { path, message } = models.error.issues[0]!;
  const found = path.length === 0 ? '' : `, found ${JSON.stringify(text.split(',')[Number(path[0])]?.slice(0, 200))}`;
  throw new DragomanError('bad-request', `--models: ${message}${found}`);
}

function toTableRow(token: TokenInfo): string[] {
  return [
    token.id,
    token.name,
    token.user,
    token.role,
    token.models === null ? 'all' : token.models.join(','),
    formatMoment(token.createdAt),
    token.lastUsedAt === null ? 'never' : formatMoment(token.lastUsedAt),
    stateOf(token),
  ];
}

function stateOf({ revokedAt, expiresAt }: TokenInfo): string {
  if (revokedAt !== null) return `revoked ${formatMoment(revokedAt)}`;
  if (expiresAt === null) return 'live';
  return expiresAt <= Date.now() ? `expired ${formatMoment(expiresAt)}` : `active until ${formatMoment(expiresAt)}`;
}
