import type { Connections } from '../connections.ts';
import type { ExtensionParts } from '../extension-parts.ts';
import { isOwnServer, type ServerState } from '../server/server-link.ts';
import type { PanelNews } from './panel-message.ts';
import { panelWords } from './panel-words.ts';

/** Everything the page shows: the six items as text, the switch, whether the two keys are set, and how things stand, in words. */
export async function panelState({
  settings,
  link,
  connections,
}: Pick<ExtensionParts, 'settings' | 'link'> & { connections: Connections }): Promise<PanelNews> {
  const words = panelWords.now();
  const { apiKey, augmentToken, searchWithRipgrep, ...values } = await settings.read();
  const isInstalled = connections.isAugmentInstalled();
  const mode = await connections.augmentMode();
  const isChatOn = connections.chat.isOn();
  return {
    type: 'state',
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === undefined ? '' : String(value)]),
    ),
    isSet: { apiKey: isGiven(apiKey), augmentToken: isGiven(augmentToken) },
    searchWithRipgrep,
    serverText: describeServer(link.state),
    isServerWell: link.state.kind !== 'failed',
    augmentText: isInstalled || mode !== 'off' ? words.augment[mode] : words.augment.missing,
    canConnect: isInstalled,
    canDisconnect: mode !== 'off' || isChatOn,
    chatText: isChatOn ? words.chat.on : words.chat.off,
  };
}

function describeServer({ kind, server, reason = '' }: ServerState): string {
  const words = panelWords.now().server;
  if (kind === 'failed') return words.failed(reason);
  if (kind !== 'ready' || server === undefined) return kind === 'starting' ? words.starting : words.idle;
  return isOwnServer(server) ? words.ready(server.url) : words.foreign(server.url);
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
