/** Where the words stand beside what they are about. */
type Side = 'top' | 'right';

/** A few words about something, for who points at it or comes to it by keyboard; never the only place where they are said. */
export function tooltip(words: string, side: Side = 'top'): { 'data-tooltip': string; 'data-side': Side } {
  return { 'data-tooltip': words, 'data-side': side };
}
