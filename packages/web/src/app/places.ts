import { MessagesSquare, Search, Settings, Waypoints } from 'lucide-react';

/** Where one can go, beside the home page. */
export const PLACES = [
  { to: '/sessions', word: 'sessions', Icon: MessagesSquare },
  { to: '/gateway', word: 'gateway', Icon: Waypoints },
  { to: '/context', word: 'context', Icon: Search },
  { to: '/settings', word: 'settings', Icon: Settings },
] as const;
