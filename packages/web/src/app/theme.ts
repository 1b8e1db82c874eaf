import { useSyncExternalStore } from 'react';

/** `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

function chosen(): Theme {
  const stored = localStorage.getItem('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function paint(): void {
  const theme = chosen();
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}
prefersDark.addEventListener('change', paint);
// Another tab chose one, also while this one was in the back/forward cache.
window.addEventListener('storage', ({ key }) => key === 'theme' && paint());
window.addEventListener('pageshow', ({ persisted }) => persisted && paint());

/** Chooses a theme for this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem('theme', theme);
  paint();
}

/** The theme that was chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}
