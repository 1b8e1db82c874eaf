import { type AssistantInfo, newId, NO_TOKENS } from '@dragoman/protocol';
import type { AgentModel } from '../agent-model.ts';
import type { Session } from './session.ts';

/** Who answers what, and when. */
export interface AnswerFacts {
  model: Pick<AgentModel, 'providerID' | 'modelID'>;
  agent: string;
  /** The user message it answers. */
  parentID: string;
  at: number;
}

/** The info of an assistant message that begins now: what it took is not known yet. */
export function newAssistantInfo(session: Session, { model, agent, parentID, at }: AnswerFacts): AssistantInfo {
  const { cwd, root } = session.state.info;
  return {
    id: newId('msg'),
    sessionID: session.id,
    role: 'assistant',
    time: { created: at },
    parentID,
    agent,
    model: { providerID: model.providerID, modelID: model.modelID },
    path: { cwd, root },
    cost: 0,
    costSource: 'computed',
    tokens: NO_TOKENS,
  };
}
