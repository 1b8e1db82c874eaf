import {
  type ModelCall,
  type ModelMessage,
  type ModelSink,
  OFFLINE_HINT,
  type ToolDefinition,
} from '@dragoman/protocol';
import type { AcceptedCall } from '../upstream.ts';

/** The tools the offline model knows how to use, and the parameter that takes its question. */
const SEARCH_TOOLS: Readonly<Record<string, string>> = {
  'codebase-retrieval': 'information_request',
  'code-search': 'query',
};

/**
 * A model that needs no key and no network: it looks the question up with the search tool it is offered, and answers
 * with what came back, naming the places. What it is asked to write anew it leaves as it is: its own words are of no use in
 * somebody's code. The first run, the demo and the end-to-end tests stand on it.
 */
export async function openOfflineCall(call: ModelCall): Promise<AcceptedCall> {
  return {
    async run(sink) {
      sink.push({ type: 'response-metadata', id: 'offline', modelId: 'offline' });
      if (call.unchanged !== undefined) return say(call.unchanged, sink);
      const answer = think(call);
      if ('toolName' in answer) callTool(answer, sink);
      else speak(answer.text, call, sink);
    },
  };
}

type Answer = { text: string } | { toolName: string; input: string };

function think(call: ModelCall): Answer {
  const result = lastResult(call.prompt);
  if (result !== undefined) return { text: retell(result) };
  const question = lastQuestion(call.prompt);
  const tool = call.tools.find(({ name }) => searchParameter(name) !== undefined);
  if (tool !== undefined && question !== '')
    return { toolName: tool.name, input: JSON.stringify({ [parameterOf(tool)]: question }) };
  if (call.tools.length === 0 && isForTitle(call.prompt)) return { text: titleFrom(question) };
  return { text: introduce(question) };
}

/** More than anybody asks by hand, and little enough to look through at once. */
const MAX_QUESTION = 10_000;

function lastQuestion(prompt: readonly ModelMessage[]): string {
  const message = prompt.findLast((candidate) => candidate.role === 'user');
  if (message === undefined || message.role !== 'user') return '';
  const texts = message.content.filter((part) => part.type === 'text').map((part) => part.text.trim());
  return personsPart(texts.filter((text) => text !== '').join('\n')).slice(0, MAX_QUESTION);
}

/** An editor's chat puts the time, the place and its own advice around what the person asked. */
function personsPart(text: string): string {
  const [before, after] = ['<userRequest>', '</userRequest>'];
  const start = text.indexOf(before);
  const end = start === -1 ? -1 : text.indexOf(after, start);
  return end === -1 ? text : text.slice(start + before.length, end).trim();
}

/** Whether a client wants a name for a conversation: that is what its instructions begin with. */
function isForTitle(prompt: readonly ModelMessage[]): boolean {
  const system = prompt.find((message) => message.role === 'system')?.content ?? '';
  return /\btitles?\b|标题/i.test(system.slice(0, MAX_QUESTION).trimStart().split('\n', 1)[0]!);
}

const MAX_TITLE = 60;

/** The question itself, as far as it fits. The sentence that asks for the title may stand before it. */
function titleFrom(question: string): string {
  const [first, ...rest] = question.trim().split('\n');
  const isInstruction = rest.length > 0 && first!.trimEnd().endsWith(':') && /\btitle\b/i.test(first!);
  const asked = isInstruction ? rest.join('\n').trim() : first!;
  const line = asked.split('\n', 1)[0]!.trim();
  if (line.length <= MAX_TITLE) return line;
  const end = line.lastIndexOf(' ', MAX_TITLE);
  return `${line.slice(0, end === -1 ? MAX_TITLE : end)}…`;
}

/** What a tool returned since the user last spoke. */
function lastResult(prompt: readonly ModelMessage[]): string | undefined {
  const last = prompt.at(-1);
  if (last === undefined || last.role !== 'tool') return undefined;
  return last.content
    .flatMap((result) => result.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)))
    .join('\n');
}

function retell(result: string): string {
  const places = [
    ...new Set(
      [...result.slice(0, MAX_TOLD).matchAll(/^(?:Path:|#+|---)?[ \t]*([\w./-]+\.\w{1,8})(?::(\d+))?/gm)].map((match) =>
        match[2] === undefined ? match[1]! : `${match[1]}:${match[2]}`,
      ),
    ),
  ];
  const named = places.length === 0 ? '' : `Relevant files: ${places.slice(0, 8).join(', ')}.\n\n`;
  return `${named}Search results:\n\n${fenced(excerpt(result))}\n\n${OFFLINE_HINT}`;
}

const MAX_TOLD = 4_000;

/** Whole lines, and a word where there would be more. */
function excerpt(text: string): string {
  if (text.length <= MAX_TOLD) return text.trimEnd();
  const end = text.lastIndexOf('\n', MAX_TOLD);
  return `${text.slice(0, end === -1 ? MAX_TOLD : end)}\n…`;
}

/** Code keeps its indentation in a fence; the fence is longer than any inside it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function introduce(question: string): string {
  const asked = question === '' ? '' : ` You asked: “${question.slice(0, 300)}”`;
  return `I'm Dragoman's offline model. I can only search with the tools I'm given and show what they find. For more, add a model provider.${asked}`;
}

/** Clients put the name of the MCP server before the name of its tool: `mcp_dragoman_codebase-retrieval`. */
function searchParameter(toolName: string): string | undefined {
  return Object.entries(SEARCH_TOOLS).find(([name]) => toolName === name || toolName.endsWith(`_${name}`))?.[1];
}

function parameterOf(tool: ToolDefinition): string {
  const properties = Object.keys((tool.inputSchema['properties'] as Record<string, unknown> | undefined) ?? {});
  const known = searchParameter(tool.name)!;
  return properties.length === 0 || properties.includes(known) ? known : properties[0]!;
}

function callTool(answer: { toolName: string; input: string }, sink: ModelSink): void {
  const id = `offline_${Date.now().toString(36)}`;
  sink.push({ type: 'tool-input-start', id, toolName: answer.toolName });
  sink.push({ type: 'tool-input-delta', id, delta: answer.input });
  sink.push({ type: 'tool-input-end', id });
  sink.push({ type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } });
}

/** At once, and never cut: it is somebody's work. */
function say(text: string, sink: ModelSink): void {
  sink.push({ type: 'text-start', id: '0' });
  if (text !== '') sink.push({ type: 'text-delta', id: '0', delta: text });
  sink.push({ type: 'text-end', id: '0' });
  sink.push({ type: 'finish', finishReason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } });
}

/** Word by word, as a model would. */
function speak(text: string, call: ModelCall, sink: ModelSink): void {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  const limit = call.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  sink.push({ type: 'text-start', id: '0' });
  for (const delta of words.slice(0, limit)) sink.push({ type: 'text-delta', id: '0', delta });
  sink.push({ type: 'text-end', id: '0' });
  sink.push({
    type: 'finish',
    finishReason: words.length > limit ? 'length' : 'stop',
    usage: { inputTokens: 0, outputTokens: Math.min(words.length, limit) },
  });
}
