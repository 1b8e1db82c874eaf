import { DragomanError, type ToolChoice } from '@dragoman/protocol';
import { ownValue } from '../../tools/json-object.ts';
import type { OfferedTools } from '../../tools/offered-tools.ts';
import { leftOutTool } from '../../tools/provider-tool.ts';
import { cacheOptions } from '../cache-options.ts';
import { unreadFields } from '../unread-fields.ts';
import { TOOL_FIELDS } from './fields.ts';
import { typedToolDefinition } from './typed-tools.ts';
import type { AnthropicRequest } from './wire.ts';

/** Adds the tools of a request to what is offered. What runs at Anthropic is left out or refused. */
export function readTools({ tools }: AnthropicRequest, offered: OfferedTools): void {
  for (const [index, tool] of (tools ?? []).entries()) {
    const place = `tools.${index}`;
    const type = tool.type ?? 'custom';
    const { providerOptions } = cacheOptions(tool.cache_control);
    const typed = typedToolDefinition(tool);
    // A search for tools runs at Anthropic; tools that wait to be found are simply offered.
    if (type === 'custom') {
      for (const field of unreadFields(tool, TOOL_FIELDS)) offered.leaveOut(`tools.${field}`);
      offered.addEntry({ ...tool, type: 'function', description: describe(tool) }, place, { providerOptions });
    } else if (typed !== undefined)
      offered.addEntry({ ...typed, input_schema: typed.inputSchema }, place, { providerOptions });
    else offered.leaveOut(leftOutTool(type, place, 'Anthropic'));
  }
}

/** Examples have no field elsewhere, so they are told with what the tool is for. */
function describe({ description, input_examples: examples }: Readonly<Record<string, unknown>>): string {
  const about = typeof description === 'string' ? description : '';
  if (!Array.isArray(examples) || examples.length === 0) return about;
  return [about, `Examples of its input:\n${examples.map((example) => JSON.stringify(example)).join('\n')}`].join(
    '\n\n',
  );
}

/** For a count of tokens, which asks no model: whoever runs the other tools, their definitions cost next to nothing. */
export function withoutProviderTools(body: unknown): unknown {
  const tools = ownValue(body, 'tools');
  if (!Array.isArray(tools)) return body;
  const runsInClient = (tool: unknown) => {
    const type = ownValue(tool, 'type');
    return typeof type !== 'string' || type === 'custom' || typedToolDefinition({ type }) !== undefined;
  };
  return { ...(body as object), tools: tools.filter(runsInClient), tool_choice: undefined };
}

export function toToolChoice({ tool_choice: choice }: AnthropicRequest, offered: OfferedTools): ToolChoice | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'any':
      if (offered.definitions.length > 0) return { type: 'required' };
      throw new DragomanError(
        'bad-request',
        'tool_choice: a tool call is required, but none of the tools can be called.',
      );
    case 'tool': {
      const { name } = choice;
      const toolName = offered.definitions.find((tool) => offered.names.toolOf(tool.name).name === name)?.name;
      if (toolName !== undefined) return { type: 'tool', toolName };
      throw new DragomanError(
        'bad-request',
        'tool_choice.name: expected the name of one of the tools that does not run at Anthropic.',
      );
    }
  }
}
