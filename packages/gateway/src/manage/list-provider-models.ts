import { DragomanError, type Fault } from '@dragoman/protocol';
import type { ProviderDraft } from '@dragoman/protocol/console';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { HttpCaller } from '../upstreams/http-caller.ts';
import { listModels } from '../upstreams/model-list.ts';
import { chooseTarget } from './choose-target.ts';
import { explainProblem } from './explain-problem.ts';

const LIST_MS = 30_000;

/** Who is asked for their models, and who waits for it. */
export interface ModelListing {
  provider: string | ProviderDraft;
  /** Aborted when nobody waits for the answer. */
  left: AbortSignal;
  limitMs?: number;
}

/** The models a provider says it has. What goes wrong is part of the answer, with what to do about it. */
export async function listProviderModels(
  config: GatewayConfig,
  { provider, left, limitMs = LIST_MS }: ModelListing,
): Promise<{ models: string[]; problem?: Fault }> {
  const tooLong = AbortSignal.timeout(limitMs);
  // Of its own: it is asked seldom, and keys of a draft are gone with it.
  const http = new HttpCaller();
  let target: ReturnType<typeof chooseTarget> | undefined;
  try {
    target = chooseTarget(provider, '', config);
    const models = await listModels(http, target, AbortSignal.any([left, tooLong]));
    return models === undefined ? { models: [], problem: notOffered(target.provider.type) } : { models };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const known = tooLong.aborted && !left.aborted ? tookTooLong(limitMs) : error;
    return { models: [], problem: explainProblem(known, target) };
  } finally {
    await http.close();
  }
}

function notOffered(type: string): Fault {
  return {
    code: 'not-offered',
    message: `Providers of type "${type}" cannot list their models.`,
    fix: 'Enter the names of its models yourself.',
  };
}

function tookTooLong(limitMs: number): DragomanError {
  return new DragomanError('timed-out', `The provider did not list its models within ${limitMs} ms.`);
}
