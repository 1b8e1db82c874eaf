import type { ElicitResult } from '@modelcontextprotocol/client';
import { askedBy, type AskQuestion, DECLINE, endOf, titleOf, wholeOf } from './put-question.ts';

const MAX_ADDRESS = 4_000;

/** Asks for a yes: what a form without fields is. */
export async function askConsent(server: string, message: string, ask: AskQuestion): Promise<ElicitResult> {
  const answer = await ask({
    title: titleOf(message),
    reason: [...wholeOf(message), askedBy(server)].join('\n'),
    options: [{ id: 'yes', name: 'Yes' }, DECLINE],
    takesText: false,
  });
  if (answer.type === 'chosen' && answer.optionId === 'yes') return { action: 'accept', content: {} };
  return { action: endOf(answer) };
}

/**
 * Shows an address that a server wants a person to open. It is never opened or asked for anything from here: whoever
 * opens it has seen where it leads.
 */
export async function askToOpen(
  server: string,
  { message, url }: { message: string; url: string },
  ask: AskQuestion,
): Promise<ElicitResult> {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.href.length > MAX_ADDRESS)
    return { action: 'decline' };
  const answer = await ask({
    title: titleOf(message),
    reason: [
      ...wholeOf(message),
      `It wants you to open this page of ${address.host} yourself:`,
      address.href,
      askedBy(server),
    ].join('\n'),
    options: [{ id: 'opened', name: 'I have opened it' }, DECLINE],
    takesText: false,
  });
  if (answer.type === 'chosen' && answer.optionId === 'opened') return { action: 'accept' };
  return { action: endOf(answer) };
}
