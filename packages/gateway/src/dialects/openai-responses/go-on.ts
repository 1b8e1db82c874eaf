import { DragomanError } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server';
import type { Gateway } from '../../gateway.ts';
import { resolveAllowed } from '../../policy/allowed-models.ts';
import { targetName } from '../../routing/target.ts';
import { isJsonObject, type JsonObject } from '../../tools/json-object.ts';
import { type KeptResponse, missing } from './kept-responses.ts';

/**
 * A request that goes on from a kept response, as one that says the whole conversation. A response that a provider keeps
 * is left for the provider to find.
 */
export async function goOn(gateway: Gateway, body: unknown, caller: Caller): Promise<unknown> {
  const { kept } = gateway;
  const { userId } = caller;
  if (!kept.isOn || !isJsonObject(body)) return body;
  const { previous_response_id: previousId, ...rest } = body;
  if (typeof previousId !== 'string' || previousId === '') return body;
  const previous = await kept.find(previousId, userId);
  const asked = typeof body['model'] === 'string' ? body['model'] : '';
  const { targets } = resolveAllowed(asked, gateway.config(), caller);
  if (previous === undefined) {
    const mayBeElsewhere = targets.some(({ provider }) => provider.type === 'openai-responses');
    if (!mayBeElsewhere || (await kept.isOfOthers(previousId, userId))) throw missing(previousId);
    return body;
  }
  if (previous.response !== undefined)
    return { ...rest, input: [...said(await kept.chain(previous)), ...toItems(rest['input'])] };
  const providerName = previous.target.slice(0, previous.target.indexOf('/'));
  if (targets.some((target) => target.providerName === providerName)) return body;
  throw new DragomanError(
    'bad-request',
    `previous_response_id: the provider "${providerName}" stores this response, and ${targets.map(targetName).join(', ').slice(0, 200)} cannot continue from it. Use a model of that provider, or send the whole conversation as input.`,
  );
}

/** Everything that was sent and answered, as input. */
export function said(links: readonly KeptResponse[]): JsonObject[] {
  return links.flatMap(({ input, response }) => [
    ...input,
    ...((response?.['output'] ?? []) as JsonObject[]).flatMap(toInputItem),
  ]);
}

/** Text may stand where items are meant. */
export function toItems(input: unknown): JsonObject[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? (input as JsonObject[]) : [];
}

/** A thought counts only with what was signed, and is known by its id. Other ids say nothing to a provider that did not give them. */
function toInputItem({ id, ...item }: JsonObject): JsonObject[] {
  if (item['type'] !== 'reasoning') return [item];
  return typeof item['encrypted_content'] === 'string' ? [{ id, ...item }] : [];
}
