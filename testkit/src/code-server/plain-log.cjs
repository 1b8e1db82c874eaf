'use strict';

// Takes the place of the compiled logger of VS Code, so that output channels and log files are written without a compiler.
// Every line goes to its file at once: a test may look for it, and for what must not be in it, at any moment.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #isBare = false;

  constructor(_kind, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
    for (const [level, word] of LEVELS.entries()) this[word] = (text) => this.#write(level, word, text);
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  /** The only pattern in use is a time, the level and the text. */
  setPattern() {}

  /** What is written then has its line ends already. */
  clearFormatters() {
    this.#isBare = true;
  }

  flush() {}
  drop() {}

  #write(level, word, text) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, -1);
    appendFileSync(this.#file, this.#isBare ? text : `${time} [${word}] ${text}\n`);
  }
}

// One by one, because they are looked for by name when an ES module imports this file.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
