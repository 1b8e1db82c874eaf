import type { AugmentChatRequest, IdeState } from './wire.ts';

/**
 * The system prompt, which this wire does not carry: the configured base, then what the client sends as material.
 * The same material gives the same bytes, so that prompt caches hit from turn to turn.
 */
export function augmentSystemPrompt(base: string, request: AugmentChatRequest, ideState: IdeState | undefined): string {
  const rules = (request.rules ?? []).filter((rule) => hasText(rule.content));
  const always = rules.filter((rule) => rule.type !== ON_REQUEST);
  const onRequest = rules.filter((rule) => rule.type === ON_REQUEST);
  return [
    base,
    section("The user's guidelines", request.user_guidelines),
    section('Guidelines of the workspace', request.workspace_guidelines),
    ...always.map((rule) => section(`Rule ${rule.path ?? ''}`.trim(), rule.content)),
    onRequest.length === 0
      ? ''
      : section(
          'Rules to follow where they apply',
          onRequest.map((rule) => `${rule.path ?? 'rule'}: ${rule.description ?? ''}\n${rule.content}`).join('\n\n'),
        ),
    (request.skills ?? []).length === 0
      ? ''
      : section(
          'Skills: read the file of a skill before you use it',
          (request.skills ?? [])
            .map((skill) => `- ${skill.name}: ${skill.description ?? ''} (${skill.location ?? ''})`)
            .join('\n'),
        ),
    section('What you remember of the user', request.agent_memories),
    section('Workspace', ideState === undefined ? '' : describeIdeState(ideState)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Where the user is working, in words. */
export function describeIdeState(state: IdeState): string {
  const folders = (state.workspace_folders ?? [])
    .map((folder) => folder.folder_root ?? folder.repository_root)
    .filter(hasText);
  const directory = state.current_terminal?.current_working_directory;
  return [
    folders.length === 0 ? '' : `Workspace folders: ${folders.join(', ')}`,
    hasText(directory) ? `The terminal is in: ${directory}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A rule the agent asks for itself; the client sends it with a description of when. */
const ON_REQUEST = 2;

function section(title: string, content: string | null | undefined): string {
  return hasText(content) ? `# ${title}\n${content.trim()}` : '';
}

function hasText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
