import * as vscode from 'vscode';
import { noticeText } from '../notice-text.ts';
import type { ServerLink } from '../server/server-link.ts';
import { type BorrowedSettings, userValue } from '../settings/borrowed-settings.ts';
import { chatWords } from './chat-words.ts';
import { makeModelsKnown, VENDOR } from './models.ts';

/** The editor's own chat with our models. */
export interface ChatAccess {
  isOn(): boolean;
  /** Asks, sets what the chat needs, and opens it. False when the person said no. */
  allow(): Promise<boolean>;
  /** Puts the settings back. */
  undo(): Promise<void>;
}

const IS_ON = 'dragoman.chatIsOn';
/** Without it the chat asks for a GitHub account, whoever's model it is. Newer editors hide it, and refuse it from extensions. */
const ANONYMOUS = 'chat.allowAnonymousAccess';
/** Titles and other small tasks; without them the chat answers all the same and shows a hint. */
const SMALL_TASKS = ['chat.utilityModel', 'chat.utilitySmallModel'];

/** What the chat needs is explained and asked for before anything is written. */
export function chatAccess({
  globalState,
  link,
  borrowed,
}: {
  globalState: vscode.Memento;
  link: ServerLink;
  borrowed: BorrowedSettings;
}): ChatAccess {
  return {
    isOn: () => globalState.get<boolean>(IS_ON) === true,
    async allow() {
      const words = chatWords.now();
      const isAllowed = userValue(ANONYMOUS) === true;
      if (!isAllowed) {
        const answer = await vscode.window.showInformationMessage(
          words.ask,
          { modal: true, detail: words.askDetail },
          words.allow,
        );
        if (answer !== words.allow) return false;
      }
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: words.starting },
        async () => link.ready(),
      );
      await globalState.update(IS_ON, true);
      await borrowed.changeHidden(ANONYMOUS, true).catch((error: unknown) => {
        // Said, and not waited for: the rest is done whether or not somebody closes the notice.
        void vscode.window.showWarningMessage(noticeText(words.notAllowed(messageOf(error))));
      });
      for (const name of SMALL_TASKS)
        if (userValue(name) === undefined) await borrowed.change(name, `${VENDOR}/default`);
      await makeModelsKnown();
      await vscode.commands.executeCommand('workbench.action.chat.open');
      return true;
    },
    async undo() {
      await globalState.update(IS_ON, undefined);
      await borrowed.restore([ANONYMOUS, ...SMALL_TASKS]);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
