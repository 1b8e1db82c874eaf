/** How a line of the menu looks, also when it leads to the page that is open. */
export const MENU_ITEM =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink';
