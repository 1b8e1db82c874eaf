import { type AgentOffer, describeFault, DragomanError } from '@dragoman/protocol';
import { agentOfferSchema } from '@dragoman/protocol/schemas';
import { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import { askRunner } from '../runners/ask-runner.ts';
import type { RunnerRow } from '../runners/runner-access.ts';
import { tellRunnerChange } from './tell-change.ts';

/**
 * The agent of that name on a machine. What is not offered, or could not be started when the runner connected, is asked
 * for once more: it may have been installed since.
 */
export async function findOffer(
  parts: HubParts,
  runner: RunnerRow,
  name: string,
  signal: AbortSignal,
): Promise<AgentOffer> {
  let offers = JSON.parse(runner.agents_json) as AgentOffer[];
  let offer = offers.find((one) => one.name === name);
  if (offer !== undefined && offer.problem === undefined) return offer;
  if (parts.presence.isConnected(runner)) {
    offers = (await refreshOffers(parts, runner, signal)) ?? offers;
    offer = offers.find((one) => one.name === name);
  }
  if (offer === undefined) {
    const names = offers.map((one) => one.name).join(', ') || 'none';
    throw new DragomanError(
      'bad-request',
      `agent: the machine ${runner.name} has no agent ${JSON.stringify(name.slice(0, 100))}; it offers: ${names}.`,
    );
  }
  if (offer.problem === undefined) return offer;
  throw new DragomanError('unavailable', describeFault(offer.problem));
}

async function refreshOffers(
  parts: HubParts,
  runner: RunnerRow,
  signal: AbortSignal,
): Promise<AgentOffer[] | undefined> {
  try {
    const answer = await askRunner(parts, runner, { method: 'list-agents' }, signal);
    const offers = z.array(agentOfferSchema).parse(answer);
    await parts.db
      .updateTable('hub_runners')
      .set({ agents_json: JSON.stringify(offers) })
      .where('id', '=', runner.id)
      .execute();
    tellRunnerChange(parts, runner.id);
    return offers;
  } catch (err) {
    signal.throwIfAborted();
    parts.logger.debug({ err, runnerId: runner.id }, 'a machine could not be asked for its agents');
    return undefined;
  }
}
