import type { BackendCapabilities } from '@dragoman/protocol';
import type { Workplace } from '../workplace/workplace.ts';

/** What the native agent can do, wherever it works. */
export const NATIVE_CAPABILITIES: BackendCapabilities = {
  resume: true,
  fork: true,
  steer: true,
  approvals: true,
  images: true,
  files: true,
  models: true,
  modes: true,
};

/** The modes that are always there; a project may add others. */
export const NATIVE_MODES = ['build', 'plan'] as const;

/** What it can do in a folder: files are put back only where there are snapshots of them. */
export async function capabilitiesAt(workplace: Workplace): Promise<BackendCapabilities> {
  try {
    const states = await workplace.snapshots();
    const isKept = states !== undefined && states.unavailable === undefined && states.refusal === undefined;
    return isKept ? { ...NATIVE_CAPABILITIES, revert: true } : NATIVE_CAPABILITIES;
  } catch (err) {
    workplace.log.warn({ err }, 'whether there can be snapshots of the files could not be told');
    return NATIVE_CAPABILITIES;
  }
}
