import type { AnyPart, Message, ModelMessage } from '@dragoman/protocol';
import { estimateTokens } from './estimate-tokens.ts';

/** Results are told in short: what matters of them is in what was done next. */
const MAX_RESULT_CHARS = 2_000;

const INSTRUCTIONS = `You sum up the work of a coding agent so that it can go on without the conversation before you. Write for the agent itself, in the language of the user. Leave nothing out that it would have to find out again; leave out everything else. Call no tools. Use exactly this form:

## Goal
What the user wants, with every wish and limit they have stated, in their own words where these matter.

## Decisions
What was decided and found out, each with its reason.

## State of the work
Done: … / In progress: … / Blocked: …

## Next
The next steps, in order.

## Files
Each file that matters, with what it is or what was changed in it.`;

/** The prompt that asks for a summary of messages, and of the summary before them. It fits `maxTokens`: the oldest goes first. */
export function summaryPrompt(
  messages: readonly Message[],
  earlier: string | undefined,
  maxTokens: number,
): ModelMessage[] {
  const room = maxTokens - estimateTokens(INSTRUCTIONS) - (earlier === undefined ? 0 : estimateTokens(earlier)) - 200;
  const told: string[] = [];
  let used = 0;
  for (const message of messages.toReversed()) {
    const text = tell(message);
    const tokens = estimateTokens(text);
    if (used + tokens > room && told.length > 0) {
      told.push('[Older messages are left out for want of room.]');
      break;
    }
    told.push(tokens > room ? `${text.slice(0, Math.max(1_000, room * 2))}\n[cut]` : text);
    used += tokens;
  }
  const before = earlier === undefined ? '' : `<earlier-summary>\n${earlier}\n</earlier-summary>\n\n`;
  return [
    { role: 'system', content: INSTRUCTIONS },
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: `${before}<conversation>\n${told.toReversed().join('\n\n')}\n</conversation>\n\nSum it up.`,
        },
      ],
    },
  ];
}

function tell({ info, parts }: Message): string {
  const lines = parts.map(tellPart).filter((line) => line !== '');
  return `${info.role === 'user' ? 'USER' : 'AGENT'}: ${lines.join('\n')}`;
}

function tellPart(part: AnyPart): string {
  switch (part.type) {
    case 'text':
      return part.ignored === true ? '' : part.text;
    case 'file':
      return `[file ${part.filename ?? part.mime}]`;
    case 'patch':
      return `[changed: ${part.files.join(', ')}]`;
    case 'subtask':
      return `[task for ${part.agent}: ${part.description}]`;
    case 'tool': {
      const { state } = part;
      const result =
        state.status === 'completed' ? state.output : state.status === 'error' ? `error: ${state.error}` : '';
      return `[${part.tool} ${JSON.stringify(state.input).slice(0, 500)}]\n${cut(result)}`;
    }
    default:
      return '';
  }
}

function cut(text: string): string {
  return text.length <= MAX_RESULT_CHARS ? text : `${text.slice(0, MAX_RESULT_CHARS)} [cut]`;
}
