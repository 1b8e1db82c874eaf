import type { McpServerInfo } from '@dragoman/protocol/console';
import { Ellipsis, Pencil, Plug, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Menu, MenuItem, MenuLine } from '../../../design/menu.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { Row } from '../shared/rows.tsx';
import { McpProblem, ToolList } from './mcp-outcome.tsx';
import { mcpWords } from './mcp-words.ts';

const TONES: Record<McpServerInfo['state'], Tone> = {
  connecting: 'busy',
  connected: 'good',
  'needs-login': 'warn',
  failed: 'bad',
  disabled: 'neutral',
};

interface ServerRowProps {
  server: McpServerInfo;
  /** It stands in the file, so it can be changed from here. */
  isConfigured: boolean;
  onEdit: () => void;
  onSwitch: (isOn: boolean) => void;
  onRemove: () => void;
}

/** An MCP server: how it stands, its tools, and what to do where it does not work. */
export function ServerRow({ server, isConfigured, onEdit, onSwitch, onRemove }: ServerRowProps) {
  const words = mcpWords.use();
  const common = useCommonWords();
  const [isRemoving, setRemoving] = useState(false);
  const { name, state, target, tools, problem } = server;
  const isOff = state === 'disabled';
  return (
    <Row
      icon={<Plug size={16} aria-hidden />}
      title={name}
      marks={<Badge tone={TONES[state]}>{words.states[state]}</Badge>}
      about={<code className="font-mono">{target}</code>}
      actions={
        isConfigured && (
          <Menu trigger={<IconButton label={words.actionsOf(name)} icon={<Ellipsis size={16} aria-hidden />} />}>
            <MenuItem icon={<Pencil size={14} aria-hidden />} onChoose={onEdit}>
              {common.edit}
            </MenuItem>
            <MenuItem icon={<Power size={14} aria-hidden />} onChoose={() => onSwitch(isOff)}>
              {isOff ? words.turnOn : words.turnOff}
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Trash2 size={14} aria-hidden />} isDanger onChoose={() => setRemoving(true)}>
              {common.remove}
            </MenuItem>
          </Menu>
        )
      }
    >
      {problem !== undefined && (
        <div className="mt-2">
          <McpProblem problem={problem} />
        </div>
      )}
      {state === 'connected' && (
        <details className="mt-1.5">
          <summary className="text-xs text-soft hover:text-ink">{words.tools(tools.length)}</summary>
          <div className="mt-1.5">
            <ToolList tools={tools} />
          </div>
        </details>
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => {
          setRemoving(false);
          onRemove();
        }}
        title={words.removeTitle(name)}
        confirm={common.remove}
      >
        {words.removeAbout}
      </Confirm>
    </Row>
  );
}
