import type { BackendEvent } from '@dragoman/protocol';

/**
 * Whether something that a backend emitted can be passed on. It looks at what the rest of the way relies on and no
 * further: it is on the path of every token, and `uap check` tells an author the rest.
 */
export function isBackendEvent(event: unknown): event is BackendEvent {
  if (!isObject(event)) return false;
  switch (event['type']) {
    case 'block-delta':
      return typeof event['blockId'] === 'string' && typeof event['delta'] === 'string';
    case 'block-start':
    case 'block-stop':
      return (
        typeof event['blockId'] === 'string' &&
        typeof event['messageId'] === 'string' &&
        typeof event['role'] === 'string' &&
        isObject(event['block']) &&
        typeof event['block']['type'] === 'string'
      );
    case 'approval-asked': {
      const { approval } = event;
      return isObject(approval) && typeof approval['id'] === 'string' && Array.isArray(approval['options']);
    }
    case 'approval-withdrawn':
      return typeof event['approvalId'] === 'string';
    case 'agent-updated':
      return true;
    default:
      return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
