import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Spinner } from '../../../design/spinner.tsx';
import { say } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { settingsWords } from '../settings-words.ts';
import type { EditedSettings } from '../shared/use-settings.ts';
import { keptServer, type McpDraft, mcpDraftOf, mcpMistakes, NEW_SERVER, triedServer } from './mcp-draft.ts';
import { McpFields } from './mcp-fields.tsx';
import { McpOutcome } from './mcp-outcome.tsx';
import { mcpWords } from './mcp-words.ts';

interface McpDialogProps {
  edited: EditedSettings;
  /** The one that is changed; a new one where there is none. */
  server: { name: string; setting: Record<string, unknown> } | undefined;
  taken: readonly string[];
  onClose: () => void;
}

/** Adds or changes an MCP server, and tries it before it is saved. */
export function McpDialog({ edited, server, taken, onClose }: McpDialogProps) {
  const words = mcpWords.use();
  const shared = settingsWords.use();
  const common = useCommonWords();
  const [draft, setDraft] = useState(() =>
    server === undefined ? NEW_SERVER : mcpDraftOf(server.name, server.setting),
  );
  const [shown, setShown] = useState<'nothing' | 'try' | 'save'>('nothing');
  const test = useAction('testMcpServer');
  const mistakes = mcpMistakes(draft, server === undefined ? taken : []);
  const { name: nameMistake, ...others } = mistakes;
  const change = (next: Partial<McpDraft>) => {
    test.reset();
    setDraft({ ...draft, ...next });
  };
  const tryIt = () => {
    setShown(shown === 'save' ? 'save' : 'try');
    if (Object.keys(others).length === 0) test.mutate({ server: triedServer(draft) });
  };
  const save = () => {
    setShown('save');
    if (Object.keys(mistakes).length > 0) return;
    const { setting, secrets } = keptServer(draft);
    edited.change({ changes: [{ path: ['mcp', draft.name.trim()], value: setting }], secrets }, () => {
      say(shared.saved);
      onClose();
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={server === undefined ? words.addTitle : words.editTitle(server.name)}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button onClick={tryIt} isBusy={test.isPending}>
            {words.test}
          </Button>
          <Button look="primary" type="submit" form="mcp" isBusy={edited.isSaving}>
            {words.save}
          </Button>
        </>
      }
    >
      <form
        id="mcp"
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <McpFields
          draft={draft}
          mistakes={
            shown === 'nothing' ? {} : { ...others, ...(shown === 'save' && nameMistake && { name: nameMistake }) }
          }
          onChange={change}
          isNew={server === undefined}
        />
        {test.isPending && (
          <p role="status" className="flex items-center gap-2 text-sm text-soft">
            <Spinner />
            {words.testing}
          </p>
        )}
        {test.error !== null && <Failure error={test.error} />}
        {test.data !== undefined && <McpOutcome outcome={test.data} />}
        {edited.saveError !== null && <Failure error={edited.saveError} />}
      </form>
    </Dialog>
  );
}
