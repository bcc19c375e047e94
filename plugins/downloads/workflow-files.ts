/** The code of a session's own workflow: the JavaScript and JSON files that its packages brought into `workflow`. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DownloadRefused } from './download-refused';

export interface WorkflowFile {
  /** The path within `workflow`. */
  readonly path: string;
  readonly text: string;
}

/** Limits the code, because every worker keeps it in memory for each of its sessions. */
const mostBytes = 8 * 1024 * 1024;

/**
 * @param folder the session's; it holds regular files and folders only
 * @throws DownloadRefused when the files are too large together
 */
export const readWorkflowFiles = async (folder: string): Promise<readonly WorkflowFile[]> => {
  const root = path.join(folder, 'workflow');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(js|cjs|mjs|json)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
  const files: WorkflowFile[] = [];
  let bytes = 0;
  for (const file of paths) {
    const text = await readFile(path.join(root, file), 'utf8');
    bytes += Buffer.byteLength(text);
    if (bytes > mostBytes) throw new DownloadRefused(`the packages hold more than ${mostBytes} bytes of workflow code`);
    files.push({ path: file, text });
  }
  return files;
};
