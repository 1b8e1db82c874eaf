// For programs beside the server, such as an editor: finding it, and changing its configuration file as it does itself.
export { editConfig } from './config/edit-config.ts';
export { parseJsoncDocument } from './config/jsonc-document.ts';
export { askHealth } from './lock/ask-health.ts';
export { findProgram, isProgram } from './process/find-program.ts';
export { isAlive } from './lock/is-alive.ts';
export { type LockNote, readLock } from './lock/lock-note.ts';
