import { AGENT_FILE_TRICKS } from './agent-file-tricks.ts';
import { CALL_TRICKS } from './call-tricks.ts';
import { GIT_TRICKS } from './git-tricks.ts';
import { LINK_TRICKS } from './link-tricks.ts';
import { NAME_TRICKS } from './name-tricks.ts';
import { TOOL_TRICKS } from './tool-tricks.ts';
import type { Trick } from './trick.ts';

/** Everything that a hostile repository tries. */
export const TRICKS: readonly Trick[] = [
  ...GIT_TRICKS,
  ...TOOL_TRICKS,
  ...LINK_TRICKS,
  ...AGENT_FILE_TRICKS,
  ...CALL_TRICKS,
  ...NAME_TRICKS,
];
