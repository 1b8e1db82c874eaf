import type { Client } from './client.ts';
import { aider } from './clients/aider.ts';
import { augment } from './clients/augment.ts';
import { claudeCode } from './clients/claude-code.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { continueDev } from './clients/continue.ts';
import { geminiCli } from './clients/gemini-cli.ts';
import { opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { qwenCode } from './clients/qwen-code.ts';
import { zed } from './clients/zed.ts';

/** Every client that can be connected. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  qwenCode,
  pi,
  continueDev,
  cline,
  zed,
  aider,
  augment,
];
