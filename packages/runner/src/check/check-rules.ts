/** A rule that a backend is held to. */
export interface CheckRule {
  /** What is true of a backend that keeps it. */
  sentence: string;
  /** What to do where it is broken. */
  mend: string;
  /** It is told, but nobody fails for it. */
  isAdvice?: true;
}

/**
 * What `uap check` judges. The README of this package lists the same rules; a test holds both together.
 */
export const CHECK_RULES = {
  'starts-in-time': {
    sentence: 'The agent is ready for prompts within the time limit.',
    mend: 'Resolve start() (over stdio: write {"type":"ready"}) as soon as prompts can be given.',
  },
  'capabilities-match': {
    sentence: 'What is declared in capabilities is there as a method.',
    mend: 'Declare resume, fork, steer, approvals (answer), models (setModel), modes (setMode) only where the method exists.',
  },
  'readable-lines': {
    sentence: 'Every line that the agent writes can be read.',
    mend: 'Write one JSON object of the protocol per line to stdout, and everything else to stderr.',
  },
  'valid-events': {
    sentence: 'Every event is valid by the published schema.',
    mend: 'Compare the event with BackendEvent in uap.schema.json.',
  },
  'deltas-to-open-blocks': {
    sentence: 'A delta adds to a block that is open.',
    mend: 'Send block-start before the first block-delta of a block, and none after its block-stop.',
  },
  'stop-equals-pieces': {
    sentence: 'A text or a thought that stops is what its start and its deltas add up to, and of the same type.',
    mend: 'Put the whole text into block-stop, exactly as it was streamed.',
  },
  'unique-ids': {
    sentence: 'An id is used for one block, one message, one call or one approval only.',
    mend: 'Make ids that are never used again in the session, also after a restart of the agent.',
  },
  'results-after-calls': {
    sentence: 'A tool_result belongs to a tool_use that came before it.',
    mend: 'Send the tool_use first, and its id as tool_use_id of the result.',
  },
  'roles-right': {
    sentence: 'What the model says is in messages of role assistant, results are in user, the rest is in agent.',
    mend: 'text, thinking, tool_use: assistant. tool_result: user. notice, error, plan, usage: agent. One role per message.',
  },
  'blocks-closed': {
    sentence: 'Every block is closed when the turn ends.',
    mend: 'Send block-stop for each open block before the turn ends, also when it was cancelled or failed.',
  },
  'calls-answered': {
    sentence: 'Every call has a result when the turn ends.',
    mend: 'Send a tool_result with is_error for calls that were called off.',
  },
  'turn-ends': {
    sentence: 'A turn ends within the time limit, with a reason of the protocol.',
    mend: 'Resolve prompt() (over stdio: write {"type":"turn-finished"}) when the agent stops, also when it fails.',
  },
  'turn-done': {
    sentence: 'A simple prompt is answered: the turn ends with "done".',
    mend: 'Look at the error of the turn; give "done" as the reason when all went well.',
  },
  'says-something': {
    sentence: 'A turn that is done has said something.',
    mend: 'Emit at least one text, thought or call in a turn.',
  },
  'messages-valid': {
    sentence:
      'The messages that the blocks add up to are valid by the published schema, and pictures and files can be had.',
    mend: 'Compare the message with AgentMessage in uap.schema.json; give images and files data or an address.',
  },
  'streams-live': {
    sentence: 'A long text is told in more than one piece while it is written.',
    mend: 'Send a block-delta for each piece that the model gives, and do not gather them.',
    isAdvice: true,
  },
  'approvals-answerable': {
    sentence: 'An approval has an option that allows, and names a call that is known.',
    mend: 'Give options with kind allow_once (or answer), and leave toolUseId out where there is no call.',
  },
  'approvals-once': {
    sentence:
      'An answer to an approval is taken once; a second one is ignored, and nothing waits when the turn is over.',
    mend: 'Forget an approval when it was answered, and withdraw those that wait when the turn ends.',
  },
  'cancel-ends-turn': {
    sentence: 'A turn that is cancelled ends within 10 s, with the reason "cancelled".',
    mend: 'Stop the model and the tools at cancel(), close what is open, and end the turn.',
  },
  'resume-works': {
    sentence: 'Where resume is declared, the agent names its session, and takes it up again.',
    mend: 'Emit agent-updated with agentSessionId, and implement resume(); or do not declare it.',
  },
  'dispose-ends': {
    sentence: 'dispose() ends within 10 s, and may be called twice.',
    mend: 'Make dispose() safe to call at any time.',
  },
  'silent-after-dispose': {
    sentence: 'Nothing is emitted after dispose().',
    mend: 'Drop what still arrives from the agent when the backend is disposed.',
  },
  'no-process-left': {
    sentence: 'No process is left behind.',
    mend: 'Start children in a process group of their own and end the group; startChildAgent does it.',
  },
} as const satisfies Record<string, CheckRule>;

/** The name of a rule. */
export type CheckRuleId = keyof typeof CHECK_RULES;
