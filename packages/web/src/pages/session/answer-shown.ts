/**
 * Presses the answer to the question that is in sight. One that is not is brought there first: nobody answers what they do not see.
 */
export function answerShown(answer: 'allow' | 'deny'): void {
  const button = document.querySelector<HTMLButtonElement>(`[role="log"] [data-answer="${answer}"]:not(:disabled)`);
  const box = button?.closest('[role="log"]')?.getBoundingClientRect();
  if (button === null || box === undefined) return;
  const { top, bottom } = button.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) button.scrollIntoView({ block: 'center' });
  else button.click();
}
