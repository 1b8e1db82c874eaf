import { DragomanError } from '@dragoman/protocol';

/**
 * Tools that run at a provider and that a model does well without, where it need not use them: it answers from what it
 * knows, or is offered the tools that would have been searched.
 */
const DISPENSABLE = /^(web_search|web_fetch|image_generation|tool_search)(_|$)/;

/**
 * Says what becomes of a tool that runs at `home`, where the model that is asked is elsewhere: gives back the name of one that
 * is left out, and refuses the others, because the answer would not be the one that was asked for.
 */
export function leftOutTool(type: string, place: string, home: string): string {
  if (DISPENSABLE.test(type)) return `tools.${type.slice(0, 40)}`;
  throw new DragomanError(
    'bad-request',
    `${place}: a tool of type ${JSON.stringify(type.slice(0, 40))} runs at ${home}, so models of other providers cannot use it. Leave it out, use a function, or use a model at ${home}.`,
  );
}
