/** An agent that is known by name: nothing has to be configured to use it, it only has to be installed. */
export interface AgentPreset {
  name: string;
  title: string;
  /** The kind of backend that drives it. */
  backend: string;
  command: readonly string[];
  /** A command that installs it, or the place that tells how. */
  install: string;
  /** What a person does on that machine so that it may work: a command, or a sentence that names one. */
  login: string;
  /** Ways to authenticate that need nobody, tried in this order where the agent offers them and wants a login. */
  authMethods?: readonly string[];
  /** It tells what a call would do in the title alone: the whole command, address or arguments. */
  hasTellingTitles?: true;
}
