import { defineWords } from '../words/define-words.ts';

/** What each agent is, in one line. */
export const agentWords = defineWords({
  en: {
    agents: {
      native: 'Built in: edits files, runs commands, searches code',
      chat: 'Answers questions; changes nothing',
      ollama: 'Chats with models on this machine',
      claude: 'Anthropic’s coding agent',
      codex: 'OpenAI’s coding agent',
      opencode: 'Open-source coding agent for many providers',
      gemini: 'Google’s coding agent',
      copilot: 'GitHub’s coding agent',
      qwen: 'Alibaba’s coding agent',
      qoder: 'Qoder’s coding agent',
      pi: 'Small open-source coding agent',
      cline: 'Open-source coding agent',
      kimi: 'Moonshot AI’s coding agent',
      goose: 'Block’s open-source agent',
      cursor: 'Cursor’s coding agent',
      grok: 'xAI’s coding agent',
      auggie: 'Augment’s coding agent',
    },
    program: 'A program set up on this machine',
  },
  zh: {
    agents: {
      native: '内置：编辑文件、运行命令、搜索代码',
      chat: '只回答问题，不做改动',
      ollama: '与本机模型对话',
      claude: 'Anthropic 的编程智能体',
      codex: 'OpenAI 的编程智能体',
      opencode: '支持多家服务的开源编程智能体',
      gemini: 'Google 的编程智能体',
      copilot: 'GitHub 的编程智能体',
      qwen: '阿里巴巴的编程智能体',
      qoder: 'Qoder 的编程智能体',
      pi: '小巧的开源编程智能体',
      cline: '开源编程智能体',
      kimi: '月之暗面的编程智能体',
      goose: 'Block 的开源智能体',
      cursor: 'Cursor 的编程智能体',
      grok: 'xAI 的编程智能体',
      auggie: 'Augment 的编程智能体',
    },
    program: '在这台机器上配置的程序',
  },
});
