import type { BackendPrompt, SessionSpec, TurnEnd } from '@dragoman/protocol';
import { inSpan, isTracing, parseTraceContext, withinSpan } from '@dragoman/server/base';

/** Makes the turn of a prompt a span, inside of what the hub says. */
export function tracePrompt(
  { agent, sessionId }: SessionSpec,
  { trace }: BackendPrompt,
  turn: () => Promise<TurnEnd>,
): Promise<TurnEnd> {
  if (!isTracing()) return turn();
  const context = parseTraceContext(trace?.traceparent, trace?.tracestate);
  const attributes = () => ({ 'gen_ai.agent.name': agent, 'gen_ai.conversation.id': sessionId });
  return withinSpan(context && { context }, () =>
    inSpan(`turn ${agent}`, 'consumer', attributes, async (span) => {
      const end = await turn();
      if (end.reason === 'failed') span?.fail(end.error?.code ?? 'failed');
      return end;
    }),
  );
}
