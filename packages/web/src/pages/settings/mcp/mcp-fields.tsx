import { TextField } from '../../../design/field.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { settingsWords } from '../settings-words.ts';
import { PairsField } from '../shared/pairs-field.tsx';
import type { McpDraft, McpMistakes } from './mcp-draft.ts';
import { mcpWords } from './mcp-words.ts';

interface McpFieldsProps {
  draft: McpDraft;
  mistakes: McpMistakes;
  onChange: (change: Partial<McpDraft>) => void;
  isNew: boolean;
}

/** What an MCP server is: a program here, or an address elsewhere. */
export function McpFields({ draft, mistakes, onChange, isNew }: McpFieldsProps) {
  const words = mcpWords.use();
  const shared = settingsWords.use();
  const nameMistake = { bad: shared.nameBad, taken: shared.nameTaken }[mistakes.name as string];
  const commandMistake = { missing: shared.commandMissing, 'open-quote': shared.commandOpen }[
    mistakes.command as string
  ];
  const pairsMistake = mistakes.pairs && shared.pairNameMissing;
  return (
    <>
      {isNew && (
        <>
          <div>
            <Segmented
              label={words.kind}
              value={draft.kind}
              options={[
                { value: 'command', label: words.kinds.command },
                { value: 'url', label: words.kinds.url },
              ]}
              onChange={(kind) => onChange({ kind })}
            />
          </div>
          <TextField
            label={words.name}
            hint={words.nameHint}
            error={nameMistake}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </>
      )}
      {draft.kind === 'command' ? (
        <>
          <TextField
            label={shared.command}
            hint={shared.commandHint}
            error={commandMistake}
            placeholder={words.commandPlaceholder}
            value={draft.command}
            onChange={(event) => onChange({ command: event.target.value })}
          />
          <PairsField
            label={words.env}
            namePlaceholder="API_KEY"
            pairs={draft.env}
            onChange={(env) => onChange({ env })}
            error={pairsMistake}
          />
          <TextField
            label={words.cwd}
            hint={words.cwdHint}
            value={draft.cwd}
            onChange={(event) => onChange({ cwd: event.target.value })}
          />
        </>
      ) : (
        <>
          <TextField
            label={words.url}
            type="url"
            error={mistakes.url && words.urlBad}
            placeholder={words.urlPlaceholder}
            value={draft.url}
            onChange={(event) => onChange({ url: event.target.value })}
          />
          <PairsField
            label={words.headers}
            namePlaceholder="Authorization"
            pairs={draft.headers}
            onChange={(headers) => onChange({ headers })}
            error={pairsMistake}
          />
        </>
      )}
    </>
  );
}
