/** Code without the fence that models like to put around it. */
export function stripFence(text: string): string {
  const fenced = /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text);
  return fenced === null ? text : fenced[1]!;
}
