import { createConsoleClient } from '@dragoman/protocol/console';
import * as vscode from 'vscode';
import { isOwnServer, type RunningServer } from '../server/server-link.ts';
import { hasProvider } from '../settings/server-settings.ts';
import type { Settings } from '../settings/settings-store.ts';
import { isChinese } from '../words.ts';
import { CHINESE_ADVICE, panelWords } from './panel-words.ts';

/** How one real call went, as a sentence. */
export interface TestOutcome {
  isWell: boolean;
  text: string;
}

/**
 * Makes one small real call through the server, with what stands in the panel whether it is saved or not.
 *
 * A server that the person runs has providers of its own, which these settings do not change: there its own default is
 * asked, and no key is sent to it.
 */
export async function testSettings(
  server: RunningServer,
  settings: Settings,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const words = panelWords.now();
  const { baseUrl, apiKey, model } = settings;
  const isOurs = isOwnServer(server);
  const draft = {
    type: 'openai-chat',
    ...(baseUrl !== '' && { baseUrl }),
    ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
  };
  const answer = await createConsoleClient(server).testModel(
    isOurs && hasProvider(settings) ? { model, provider: draft } : { model: isOurs ? 'offline/offline' : 'default' },
    { signal },
  );
  if (answer.isWell) return { isWell: true, text: words.testWell(answer.target, answer.totalMs, answer.text) };
  const { code = '', message = '', fix = '' } = answer.problem ?? {};
  const advice = isChinese(vscode.env.language) ? (CHINESE_ADVICE[code] ?? fix) : fix;
  return { isWell: false, text: words.testBad(message, advice) };
}
