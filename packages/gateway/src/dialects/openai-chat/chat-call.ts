import type { ProviderMetadata } from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { ClientTool } from '../../tools/tool-names.ts';
import { toExtraContent } from './extra-content.ts';

/** A call as clients read it. `written` is the argument text, or the input of a custom tool. */
export function chatCall(
  id: string,
  tool: ClientTool,
  written: string,
  metadata: ProviderMetadata | undefined,
): object {
  return {
    id: signCallId(id, metadata),
    ...(tool.form === 'custom'
      ? { type: 'custom', custom: { name: tool.name, input: written } }
      : { type: 'function', function: { name: tool.name, arguments: written } }),
    ...toExtraContent(metadata),
  };
}
