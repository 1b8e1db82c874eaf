import type { ToolKind } from '@dragoman/protocol';
import {
  Bot,
  Brain,
  FilePenLine,
  FileText,
  Globe,
  MoveRight,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from 'lucide-react';

const ICONS: Record<ToolKind, typeof Bot> = {
  read: FileText,
  edit: FilePenLine,
  delete: Trash2,
  move: MoveRight,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  task: Bot,
  other: Wrench,
};

/** What a call does, as a picture; the words beside it say it too. */
export function KindIcon({ kind }: { kind: ToolKind }) {
  const Icon = ICONS[kind] ?? Wrench;
  return <Icon size={14} aria-hidden className="shrink-0 text-faint" />;
}
