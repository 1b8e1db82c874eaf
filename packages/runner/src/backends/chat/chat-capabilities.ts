import type { BackendCapabilities } from '@dragoman/protocol';

/** What every chat agent can do. */
export const CHAT_CAPABILITIES: BackendCapabilities = {
  resume: true,
  fork: true,
  images: true,
  files: true,
  models: true,
};
