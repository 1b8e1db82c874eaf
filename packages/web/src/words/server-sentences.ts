import { useLanguage } from './language.ts';

/** A text as the server quotes it. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** A tool, and what it is called with. */
const CALL = String.raw`(${QUOTED})(?: (on the path|with the command|on the host|with) (${QUOTED})| with a command that cannot be read for sure, (${QUOTED}),)?`;

type Told = string | ((...found: (string | undefined)[]) => string);

/** Whole sentences of the server and of its agent, and the same in Chinese. Numbers, names and paths stay as they are. */
const IN_CHINESE: readonly (readonly [RegExp, Told])[] = [
  // What is told in a session by the machine that it runs on.
  [
    /^The server was restored from an earlier backup\. What happened here between that backup and now is missing\.$/,
    '服务器已从较早的备份恢复。从那次备份到现在，这里发生的内容已缺失。',
  ],
  [/^The agent was restarted and does not remember the conversation so far\.$/, '智能体已重新启动，不记得此前的对话。'],
  // Why a call is asked about.
  [/^Files outside the project need approval by default\.$/, '项目之外的文件默认需要批准。'],
  [
    new RegExp(
      `^(?:(Commands|Edits|Web requests|Web searches|Files)|Calls of (${QUOTED}))(?: like (${QUOTED}))? need approval by default\\.$`,
    ),
    (calls, tool, pattern) =>
      `${pattern === undefined ? '' : `像 ${pattern} 这样的`}${CALLS[calls ?? ''] ?? `对 ${tool} 的调用`}默认需要批准。`,
  ],
  [
    /^Asks because of the rule (.+) \((.+)\)\.$/s,
    (rule, origin) => `需要批准，依据规则 ${rule}（${ORIGINS[origin ?? ''] ?? origin}）。`,
  ],
  [
    new RegExp(`^Asks because no rule covers ${CALL}\\.$`),
    (...call) => `需要批准，因为没有规则涉及${callWords(call)}。`,
  ],
  [
    new RegExp(`^Asks because (${QUOTED}) is called with more than can be checked at once\\.$`),
    '需要批准，因为 $1 的内容太多，无法一次检查完。',
  ],
  [
    new RegExp(`^${CALL} (is allowed|is denied) because of the rule (.+) \\((.+)\\)\\.$`, 's'),
    (tool, how, what, unreadable, verb, rule, origin) =>
      `${callWords([tool, how, what, unreadable])}${VERBS[verb ?? ''] ?? ''}，依据规则 ${rule}（${ORIGINS[origin ?? ''] ?? origin}）。`,
  ],
  [/^Asks because (.+)\.$/s, (why) => `需要批准，因为${sentenceInChinese(why ?? '')}。`],
  [/^("(?:[^"\\]|\\.)*") can run another program$/, ' $1 可以运行别的程序'],
  [/^("(?:[^"\\]|\\.)*") can show any file$/, ' $1 可以显示任何文件'],
  [/^("(?:[^"\\]|\\.)*") is a program of the project$/, ' $1 是项目里的程序'],
  [/^files of the project decide which (".+") runs$/, '项目里的文件决定运行哪个 $1'],
  [/^it could get around a rule that denies something$/, '它可能绕过一条拒绝规则'],
  [/^([A-Z_]+) leads into the project$/, ' $1 指向项目内部'],
  [/^the repository sets (.+)$/, '仓库设置了 $1'],
  [/^the repository has its files elsewhere$/, '仓库的文件在别处'],
  [/^the repository is stored elsewhere$/, '仓库本身在别处'],
  [/^the repository uses objects from elsewhere$/, '仓库的对象取自别处'],
  [/^the repository includes settings from elsewhere$/, '仓库的设置取自别处'],
  [/^the repository has links in its \.git$/, '仓库的 .git 里有链接'],
  [/^it is unclear what has changed$/, '无法查明有哪些更改'],
  [/^it would show (.+), which is made to hold secrets$/, '它会显示存放机密的文件 $1'],
  [/^it is unclear what the repository would run$/, '无法查明仓库会运行什么'],
  [/^it is unclear in which folder git would run$/, '无法确定 git 会在哪个文件夹运行'],
  // Machines that are away.
  [
    /^Moved from (.+) to (.+), where it works(?: with (\S+))? in (.+?)\.(?: Its worktree stays on (.+), in (.+)\.)?$/s,
    (from, to, agent, folder, left, worktree) =>
      `已从 ${from} 移到 ${to}，${byAgent(agent)}在那里的文件夹 ${folder} 中工作。` +
      (left === undefined ? '' : `它的工作树保留在 ${left} 上：${worktree}。`),
  ],
  [
    /^Now works(?: with (\S+))?(?: in (.+))?\.$/s,
    (agent, folder) => `现在${byAgent(agent)}${folder === undefined ? '继续' : `在文件夹 ${folder} 中`}工作。`,
  ],
  [
    /^(.+) went on after this session was moved; what its agent did there is not shown, and its files may differ\.$/s,
    '会话移走后，$1 上的智能体仍在继续；它在那里所做的内容不会显示，那里的文件可能不同。',
  ],
  [
    /^The agent has no log of this conversation here, so it was given the text of it\.$/,
    '智能体在这里没有这段对话的记录，因此收到了对话的文本。',
  ],
  [
    /^The machine (.+) has been offline since (.+)\. Start its runner again, or move the session to another machine\.$/s,
    '机器 $1 自 $2 起离线。请重新启动它的 runner，或把会话移到另一台机器。',
  ],
  [/^The machine (.+) cannot work at the moment: (.+)$/s, '机器 $1 目前无法工作：$2'],
  [
    /^The machine (.+) was removed, so its sessions can only be read\. Move the session to another machine to continue\.$/s,
    '机器 $1 已被移除，它的会话只能查看。把会话移到另一台机器后可以继续。',
  ],
  // Why a turn ended.
  [/^The model was stopped because it kept repeating itself \((.+)\)\.$/s, '模型被停止：它不断重复同样的内容（$1）。'],
  [
    /^The model was stopped because its answer is longer than (\d+) characters\.$/,
    '模型被停止：它的回答超过 $1 个字符。',
  ],
  [/^The model reached its output limit before any text\.$/, '模型还没有回答就达到了输出上限。'],
  [/^The model reached its output limit in the middle of the answer\.$/, '模型在回答中途达到了输出上限。'],
  [/^The answer was stopped by the provider's content filter\.$/, '模型服务的内容过滤中止了回答。'],
  [/^The model returned an empty answer\.$/, '模型给出了空的回答。'],
  [/^The model returned no summary\.$/, '模型没有给出摘要。'],
  [
    /^The conversation is too long for the model: (\d+) tokens after (\d+) summaries, with room for (\d+)\. Use a model with a larger context, or start a new session\.$/,
    '对话超出模型的容量：摘要 $2 次后仍有 $1 个 token，可用 $3 个。请换用上下文更大的模型，或新建会话。',
  ],
  [
    /^The turn was stopped: the tool "(.+)" was called (\d+) times in a row with the same input and the same result\.$/,
    '本轮已停止：工具 $1 以同样的输入连续调用了 $2 次，结果都相同。',
  ],
  [
    /^The turn was stopped: a pattern of (\d+) calls that ends with the tool "(.+)" came (\d+) times in a row with the same results\.$/,
    '本轮已停止：以工具 $2 结尾的 $1 次调用连续重复了 $3 遍，结果都相同。',
  ],
  [/^The turn was stopped: it used its budget of (\d+) steps\.$/, '本轮已停止：$1 步的预算已用完。'],
  [/^The turn was stopped: it used its budget of (\d+) tokens\.$/, '本轮已停止：$1 个 token 的预算已用完。'],
  [/^The turn was stopped: it used its budget of (\d+) seconds\.$/, '本轮已停止：$1 秒的预算已用完。'],
  [/^The turn was stopped: it used its budget of (\d+) compactions\.$/, '本轮已停止：$1 次压缩的预算已用完。'],
  [/^The turn was stopped: it used its budget of (\$[\d.]+)\.$/, '本轮已停止：$1 的预算已用完。'],
  [/^[Tt]he folder (.+) does not exist$/, '文件夹 $1 不存在'],
  [/^There is no agent "(.+)" here\. The agents are: (.+)\.$/, '这里没有名为 $1 的模式。可用的有：$2。'],
  // What helps.
  [
    /^Say "continue" to start another turn\. To raise the limit, set agent\.budget in dragoman\.json\.$/,
    '说“继续”即可再来一轮。要提高上限，请设置 dragoman.json 中的 agent.budget。',
  ],
  [/^Start a new session, or choose a model with a larger context\.$/, '新建会话，或选择上下文更大的模型。'],
  [/^Say "continue", or ask for smaller steps\.$/, '说“继续”，或要求分成更小的步骤。'],
  [/^Tell it what to do differently\.$/, '告诉它应当怎样改变做法。'],
  [/^Rephrase the prompt, or choose another model\.$/, '换一种说法，或选择别的模型。'],
  [
    /^Try again\. To wait longer, set agent\.timeouts in dragoman\.json\.$/,
    '请重试。要延长等待时间，请设置 dragoman.json 中的 agent.timeouts。',
  ],
  [/^Try again\. See the log of the runner for details\.$/, '请重试。详情见运行器的日志。'],
  [/^Check the API key of the provider\.$/, '请检查该模型服务的 API 密钥。'],
  [
    /^The provider rejected the API key\. Replace it under Gateway\.$/,
    '模型服务拒绝了这个 API 密钥。请在“网关”页面更换。',
  ],
  [/^Check what the API key has access to, or choose another model\.$/, '请检查 API 密钥的权限，或选择别的模型。'],
  [/^Choose another model, or add this one to its provider\.$/, '选择别的模型，或把它添加到模型服务中。'],
  [/^Try again later, or choose another model\.$/, '稍后重试，或选择别的模型。'],
  [/^Try again, or choose another model\.$/, '请重试，或选择别的模型。'],
  // What an agent tells on the way.
  [/^The conversation is getting long\. Summarizing it…$/, '对话已经很长，正在生成摘要…'],
  [/^The conversation was summarized\. The agent continues from the summary\.$/, '对话已生成摘要，智能体从摘要继续。'],
  [/^The conversation could not be summarized: (.+)$/s, (why) => `对话无法生成摘要：${sentenceInChinese(why ?? '')}`],
  // What the server finds when it looks at itself.
  [/^no problems reported$/, '未报告问题'],
  [/^(\d+) errors? reported, the last on (\S+): (.+)$/s, '报告了 $1 个错误，最近一次在 $2：$3'],
  [/^(\d+) stored$/, '保存了 $1 个'],
  [/^(\d+) shared by all servers, (\d+) in this data folder$/, '所有服务器共享 $1 个，此数据文件夹中有 $2 个'],
  [
    /^(\d+) shared by all servers, (\d+) in this data folder; (.+) in this data folder is not used$/,
    '所有服务器共享 $1 个，此数据文件夹中有 $2 个；此数据文件夹中的 $3 未被使用',
  ],
  [/^(\d+) stored, last used (.+)$/, '保存了 $1 个，最近一次使用于 $2'],
  [/^none set up$/, '没有设置'],
  [/^(\d+) set up$/, '设置了 $1 个'],
  [/^(\d+) set up, (\d+) of them switched off$/, '设置了 $1 个，其中 $2 个已停用'],
  [/^running at (\S+) \(process (\d+)\)$/, '运行于 $1（进程 $2）'],
  [/^running at (\S+) \(process (\d+)\); paused after failures: (.+)$/, '运行于 $1（进程 $2）；因失败暂停使用：$3'],
  [
    /^running at (\S+) \(process (\d+)\); usage of (\d+) model calls? is kept in the data folder until the database is available$/,
    '运行于 $1（进程 $2）；数据库恢复之前，$3 次模型调用的用量保存在数据文件夹中',
  ],
  [/^(\S+): still uses earlier settings$/, '$1：仍在使用之前的设置'],
  [
    /^(\S+): does not use all settings: (.+)$/s,
    (server, why) => `${server}：未使用全部设置：${sentenceInChinese(why ?? '')}`,
  ],
  [
    /^Not all settings that the servers share can be in force on this one\. It keeps what it had in place of:\n(.+)$/s,
    '服务器共享的设置在本服务器上未能全部生效。以下设置仍沿用原有的值：\n$1',
  ],
  [/^(\S+): restart it to apply ([\w., ]+)$/, '$1：重启后 $2 才会生效'],
  [/^(sqlite|postgres): (?:[Tt]he database )?(.+), up to date$/, '$1：$2，已是最新'],
  [/^(\d+) words of (\d+) dimensions: (.+)$/s, '$1 个词，$2 维：$3'],
  [/^(.+) will be created on the first start$/, '$1 将在首次启动时创建'],
  [/^(.+) does not exist; using defaults$/, '$1 不存在，使用默认设置'],
  [
    /^There is no git on PATH\. Without it, changes to files cannot be taken back\.$/,
    'PATH 中没有 git。没有它就无法撤回对文件的改动。',
  ],
  [/^runner\.folders: (.+) does not exist or is not a folder$/, 'runner.folders：$1 不存在或不是文件夹'],
  // Where a setting comes from.
  [/^default$/, '默认'],
  [/^(.+) through ((?:env|file|secret):.+)$/, '$1，经由 $2'],
  [/^(\d+) of (\d+) ready: (.+)$/, '$2 个中有 $1 个可用：$3'],
  [/^agents may work in (.+)$/, '智能体可以在 $1 中工作'],
];

const VERBS: Readonly<Record<string, string>> = {
  'is allowed': '被允许',
  'is denied': '被拒绝',
};

const CALLS: Readonly<Record<string, string>> = {
  Commands: '命令',
  Edits: '编辑',
  'Web requests': '网页请求',
  'Web searches': '网页搜索',
  Files: '文件',
};

const ORIGINS: Readonly<Record<string, string>> = { defaults: '默认规则' };

const SUBJECTS: Readonly<Record<string, string>> = {
  'on the path': '路径',
  'with the command': '命令',
  'on the host': '主机',
  with: '',
};

function callWords([tool, how, what, unreadable]: (string | undefined)[]): string {
  if (unreadable !== undefined) return ` ${tool}（无法完全看懂的命令 ${unreadable}）`;
  return what === undefined ? ` ${tool}` : ` ${tool}（${`${SUBJECTS[how ?? ''] ?? ''} ${what}`.trim()}）`;
}

/** A sentence of the server in Chinese where it is known; every other one as it is. */
export function sentenceInChinese(text: string): string {
  for (const [english, chinese] of IN_CHINESE) {
    const found = english.exec(text);
    if (found === null) continue;
    if (typeof chinese === 'function') return chinese(...found.slice(1)).trim();
    return chinese.replaceAll(/\$(\d)/g, (_all, index: string) => found[Number(index)] ?? '');
  }
  return text;
}

/** Says what the server said, in the language in force as far as it is known. */
export function useServerSentence(): (text: string) => string {
  return useLanguage() === 'zh' ? sentenceInChinese : asItIs;
}

function byAgent(agent: string | undefined): string {
  return agent === undefined ? '' : `由 ${agent} `;
}

function asItIs(text: string): string {
  return text;
}
