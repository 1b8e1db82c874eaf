import type { ToolKind } from '@dragoman/protocol';

/** A call that was written as text. */
export interface TextCall {
  name: string;
  input: Record<string, unknown>;
  title: string;
  kind: ToolKind;
}

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.\-/]{0,63}`;
const PARENTHESES = new RegExp(String.raw`^(${NAME})\(([\s\S]*)\)$`, 'u');
const WITH_JSON = new RegExp(String.raw`^(${NAME})\s*(\{[\s\S]*\})$`, 'u');
const WITH_COLON = new RegExp(String.raw`^(${NAME})[:：](?:\s+|(?=[{"\[]))([\s\S]+)$`, 'u');
const FIRST_WORD = new RegExp(String.raw`^[\p{L}\p{N}_./][\p{L}\p{N}_./\-]{0,63}(?=\s|$)`, 'u');
const FENCED = /^(`{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/u;
const NAMED = /^\s*([\p{L}_][\p{L}\p{N}_-]*)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,]*)\s*(?:,|$)/u;

/**
 * Reads a call: `name(args)`, `name {json}`, `name: args`, an object that names a tool and its input, or anything else,
 * which is a command. With an input of its own (`Action Input:`) the text is the name.
 */
export function parseCall(source: string, inputSource = ''): TextCall {
  const text = unfenced(source.trim());
  const inputText = unfenced(inputSource.trim());
  const title = shortened(text);
  if (inputText !== '') return { name: shortened(text, 64), input: toInput(inputText), title, kind: 'other' };

  const object = parseObject(text);
  const named = object === undefined ? undefined : readCallObject(object);
  if (named !== undefined)
    return { ...named, title: shortened(`${named.name} ${JSON.stringify(named.input)}`), kind: 'other' };

  const parentheses = PARENTHESES.exec(text);
  if (parentheses !== null)
    return { name: parentheses[1]!, input: readArguments(parentheses[2]!), title, kind: 'other' };
  const json = WITH_JSON.exec(text);
  const input = json === null ? undefined : parseObject(json[2]!);
  if (input !== undefined) return { name: json![1]!, input, title, kind: 'other' };
  const colon = WITH_COLON.exec(text);
  if (colon !== null) return { name: colon[1]!, input: toInput(colon[2]!), title, kind: 'other' };
  return { name: FIRST_WORD.exec(text)?.[0] ?? 'execute', input: { command: text }, title, kind: 'execute' };
}

/** A JSON text that says a call in one of the common ways, or nothing. */
export function parseCallObject(text: string): { name: string; input: Record<string, unknown> } | undefined {
  const object = parseObject(text.trim());
  return object === undefined ? undefined : readCallObject(object);
}

function readCallObject(object: Record<string, unknown>): { name: string; input: Record<string, unknown> } | undefined {
  const inner = isObject(object['function']) ? object['function'] : object;
  const name = ['name', 'tool', 'tool_name', 'action', 'function'].map((key) => inner[key]).find(isName);
  const key = ['input', 'arguments', 'args', 'parameters', 'params', 'action_input', 'tool_input'].find(
    (one) => inner[one] !== undefined,
  );
  if (name === undefined || key === undefined) return undefined;
  const input = inner[key];
  if (isObject(input)) return { name, input };
  return { name, input: typeof input === 'string' ? toInput(input) : { input } };
}

/** `path="a", limit=3`, JSON, or words. */
function readArguments(source: string): Record<string, unknown> {
  const text = source.trim();
  if (text === '') return {};
  const object = parseObject(text);
  if (object !== undefined) return object;
  const named: Record<string, unknown> = {};
  let rest = text;
  while (rest !== '') {
    const one = NAMED.exec(rest);
    if (one === null) break;
    named[one[1]!] = readValue(one[2]!);
    rest = rest.slice(one[0].length);
  }
  if (rest === '') return named;
  const list = parseJson(`[${text}]`);
  if (Array.isArray(list)) return list.length === 1 ? { input: list[0] as unknown } : { input: list as unknown[] };
  return { input: readValue(text) };
}

function readValue(source: string): unknown {
  const text = source.trim();
  if (/^'[^]*'$/.test(text)) return text.slice(1, -1).replaceAll(String.raw`\'`, "'");
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function toInput(text: string): Record<string, unknown> {
  return parseObject(text.trim()) ?? { input: text.trim() };
}

function unfenced(text: string): string {
  return FENCED.exec(text)?.[2]?.trim() ?? text;
}

function shortened(text: string, length = 120): string {
  const line = text.split('\n', 1)[0]!.trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  return isObject(value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
