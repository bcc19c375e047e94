// A reporter of Jest: when a file on real services fails, it prints what the logs say of the time in which it failed.
// Those of the file's own rigs and services first, then warnings of the servers that all files share. When a file is
// over, its logs go.
const { existsSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const path = require('node:path');

const mostLines = 120;
/** The log lines before a failure show its cause. */
const leadMs = 60_000;

const runFolder = () => {
  const services = process.env['PARLEY_TEST_SERVICES'];
  return services === undefined ? undefined : JSON.parse(services).folder;
};

const logsBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));

const stamp = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| UTC|[+-]\d\d:?\d\d)?/;

const timeOf = (line) => {
  const found = stamp.exec(line)?.[0];
  if (found === undefined) return undefined;
  const text = found.replace(',', '.').replace(' UTC', 'Z').replace(' ', 'T');
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
};

/** A line without a time belongs to the one before it. */
const linesWithin = (file, { from, to }) => {
  let isWithin = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => {
      const at = timeOf(line);
      if (at !== undefined) isWithin = at >= from && at <= to;
      return isWithin && line !== '';
    });
};

/** Tests ask again and again how far a session is. */
const isLook = (line) => line.includes('"method":"GET"') && line.includes('"status":200');

const isOfNote = (line) => /warn|error|fatal|panic/i.test(line);

const print = (file, lines) => {
  if (lines.length === 0) return;
  const left = lines.length > mostLines ? `, the last ${mostLines} of ${lines.length}` : '';
  console.log(`\n--- ${file}${left}\n${lines.slice(-mostLines).join('\n')}`);
};

const printLogs = (run, own, window) => {
  const logs = logsBelow(run);
  for (const file of logs.filter((each) => each.startsWith(own + path.sep))) {
    print(
      path.relative(own, file),
      linesWithin(file, window).filter((line) => !isLook(line)),
    );
  }
  for (const file of logs.filter((each) => !each.startsWith(path.join(run, 'files')))) {
    print(path.relative(run, file), linesWithin(file, window).filter(isOfNote));
  }
};

module.exports = class FailureReporter {
  onTestFileResult(test, result) {
    const run = runFolder();
    if (run === undefined || !existsSync(run)) return;
    const own = path.join(run, 'files', path.basename(test.path));
    const failed = result.testResults.find(({ status }) => status === 'failed');
    if (failed !== undefined || result.testExecError !== undefined) {
      const to = failed?.startedAt == null ? Date.now() : failed.startedAt + (failed.duration ?? 0) + 1_000;
      const from = Math.max(result.perfStats.start, to - leadMs);
      console.log(`\nLogs of ${path.basename(test.path)} in the minute before its first failure:`);
      printLogs(run, own, { from, to });
    }
    rmSync(own, { recursive: true, force: true });
  }
};
