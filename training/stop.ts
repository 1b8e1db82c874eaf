/** Ends a script that cannot go on, with a sentence instead of a stack. */
export function stop(message: string, exitCode = 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

/** Reads something; where it is missing or wrong the script ends, and says which file it was. */
export function readOrStop<Read>(file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') stop(`${path ?? file} is not there`, 1);
    stop(message.startsWith(file) ? message : `${file}: ${message}`, 1);
  }
}
