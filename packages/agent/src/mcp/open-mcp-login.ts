import type { AuthProvider } from '@modelcontextprotocol/client';
import type { McpServerConfig } from './mcp-config.ts';
import { credentialsOf, type McpAuthStore } from './mcp-credentials.ts';
import type { McpLoginOptions } from './mcp-oauth.ts';

/** Which server, and what its login needs. */
export interface ServerLogin extends Pick<McpLoginOptions, 'limitMs' | 'signal' | 'openBrowser' | 'onFinished'> {
  name: string;
  settings: McpServerConfig;
  authStore: McpAuthStore;
}

/** The way to log in at a server; none for one that runs here, or whose settings rule it out. */
export async function openMcpLogin({
  name,
  settings,
  authStore,
  limitMs,
  signal,
  openBrowser,
  onFinished,
}: ServerLogin): Promise<AuthProvider | undefined> {
  if (!('url' in settings) || settings.oauth === false) return undefined;
  // A key that was given by hand and is refused is a mistake to be told, not a reason to log in.
  const hasKey = Object.keys(settings.headers).some((header) => header.toLowerCase() === 'authorization');
  if (hasKey && settings.oauth === undefined) return undefined;
  const { mcpOAuth } = await import('./mcp-oauth.ts');
  return mcpOAuth({
    settings: settings.oauth ?? {},
    credentials: credentialsOf(authStore, name, settings.url),
    limitMs,
    signal,
    openBrowser,
    onFinished,
  });
}
