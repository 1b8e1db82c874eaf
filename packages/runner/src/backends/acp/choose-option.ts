import { DragomanError } from '@dragoman/protocol';
import { toFields } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';
import type { AcpLink } from './acp-link.ts';
import { describeRpcError } from './describe-login.ts';
import { findChoice } from './session-choices.ts';
import type { SessionUpdates } from './session-updates.ts';

/** Chooses the model or the mode of a session. What the agent does not offer is refused with what it does. */
export async function chooseOption(
  link: Pick<AcpLink, 'rpc' | 'sessionId'>,
  updates: SessionUpdates,
  about: 'model' | 'mode',
  wanted: string,
  title: string,
): Promise<void> {
  const choice = updates.choices[about];
  if (choice === undefined) throw new DragomanError('bad-request', `${title} does not let its ${about} be chosen`);
  const value = findChoice(choice, wanted);
  if (value === undefined) {
    const names = choice.choices.slice(0, 20).map(({ id }) => id);
    throw new DragomanError('bad-request', `${title} has no ${about} "${wanted}"; it has: ${names.join(', ')}`);
  }
  if (choice.current === value) return;
  const { method, params } = choice.request(value);
  try {
    const answer = toFields(await link.rpc.request(method, { sessionId: link.sessionId, ...params }));
    if (Array.isArray(answer['configOptions'])) updates.learnChoices(answer);
    else updates.learnCurrent(about, value);
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    const text = `${title} refused the ${about} "${wanted}": ${describeRpcError(error)}`;
    throw new DragomanError('bad-request', text, { cause: error });
  }
}
