import { describeToolCall } from '../../tool-call-title.ts';
import type { ContentBlockOf } from '../../uap/content-block.ts';
import { inputPreview } from './input-preview.ts';

/** A call in a line: what it does, and with what. Both are as they came: a screen cuts and cleans them its own way. */
export interface CallTitle {
  verb: string;
  subject: string;
}

/** What a call is called: in our words (`SESSION_WORDS`) where we know the tool, else in the agent's. */
export function callTitle(tools: Readonly<Record<string, string>>, use: ContentBlockOf<'tool_use'>): CallTitle {
  const { title, description = '' } = describeToolCall(use.name, use.input);
  const known = Object.hasOwn(tools, title) ? tools[title] : undefined;
  if (known !== undefined && description !== '') return { verb: known, subject: description };
  const verb = known ?? use.name;
  const said = use.title?.trim() ?? '';
  // Agents often begin their title with the name of the tool.
  const name = [use.name, title].find((each) => said === each || said.startsWith(`${each} `)) ?? '';
  if (said === name) return { verb, subject: use.locations?.[0]?.path || inputPreview(use.input) };
  return name === '' ? { verb: '', subject: said } : { verb, subject: said.slice(name.length).trim() };
}
