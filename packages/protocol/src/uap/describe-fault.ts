import type { Fault } from './backend-event.ts';

/** What went wrong and what helps, in one sentence. */
export function describeFault({ message, fix }: Pick<Fault, 'message' | 'fix'>): string {
  if (fix === undefined || message.includes(fix)) return message;
  return `${message.replace(/\.$/, '')}; what helps: ${fix}`;
}
