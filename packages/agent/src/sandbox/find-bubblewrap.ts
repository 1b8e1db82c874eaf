import { execFile } from 'node:child_process';
import { findProgram } from '@dragoman/server/base';
import { ToolError } from '../tools/tool.ts';

/** The program that makes the sandbox, and what this version of it can do. */
export interface Bubblewrap {
  path: string;
  /** It can forbid further user namespaces inside (0.8 and later). */
  canDisableNamespaces: boolean;
  /** It can limit the size of a folder in memory (0.7 and later). */
  canLimitSize: boolean;
}

/** Where to look; the real environment unless a test says otherwise. */
export interface BubblewrapPlace {
  platform?: NodeJS.Platform;
  /** Folders to look in, as in the environment's PATH. */
  searchPath?: string;
}

const ANSWER_WITHIN_MS = 10_000;

/** Finds `bwrap` and learns its version's options. Throws a `ToolError` that says how to get it. */
export async function findBubblewrap({
  platform = process.platform,
  searchPath = process.env['PATH'] ?? '',
}: BubblewrapPlace = {}): Promise<Bubblewrap> {
  if (platform !== 'linux') throw notOnThisPlatform(platform);

  const path = findProgram('bwrap', searchPath);
  if (path === undefined)
    throw new ToolError(
      `The sandbox needs bubblewrap, and there is no \`bwrap\` on PATH. Install it: ${INSTALL}. ${DIRECT_MODE}`,
    );
  const help = await helpOf(path);
  return {
    path,
    canDisableNamespaces: help.includes('--disable-userns'),
    canLimitSize: help.includes('--size'),
  };
}

/** What is said when `bwrap` is there and fails: mostly the system forbids user namespaces. */
export function bubblewrapFails(path: string, stderr: string, cause?: unknown): ToolError {
  const said = stderr.trim().split('\n').slice(-3).join(' ');
  return new ToolError(
    `The sandbox cannot be set up: ${path} does not work here${said === '' ? '' : ` (${said})`}. ` +
      'Mostly the system forbids user namespaces: allow them (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu 24.04 and ' +
      'later an AppArmor profile for bwrap, or sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container its ' +
      `seccomp profile must allow them), and see that bubblewrap is the current one: ${INSTALL}. ${DIRECT_MODE}`,
    { cause },
  );
}

const INSTALL =
  '`apt-get install bubblewrap` (Debian, Ubuntu), `dnf install bubblewrap` (Fedora, RHEL), `pacman -S bubblewrap` (Arch)';
const DIRECT_MODE =
  'A skill that only gives instructions needs no sandbox: `mode: direct` in its SKILL.md makes it one.';

function notOnThisPlatform(platform: NodeJS.Platform): ToolError {
  const name = PLATFORMS[platform] ?? platform;
  return new ToolError(
    `Sandboxed skills are not available on ${name}: the sandbox is bubblewrap, which exists only for Linux. ${DIRECT_MODE}`,
  );
}

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macOS', win32: 'Windows' };

function helpOf(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, ['--help'], { timeout: ANSWER_WITHIN_MS, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (error) reject(bubblewrapFails(path, stderr || error.message, error));
      else resolve(stdout + stderr);
    });
  });
}
