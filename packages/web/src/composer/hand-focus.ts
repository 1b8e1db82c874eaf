let isHandedOver = false;

/** Whoever wrote the first prompt goes on writing on the page of the session that it starts. */
export function handFocusOver(): void {
  isHandedOver = true;
}

/** Whether the focus was handed over to who asks first. */
export function takeFocusOver(): boolean {
  const was = isHandedOver;
  isHandedOver = false;
  return was;
}
