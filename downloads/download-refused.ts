/** What went wrong with a download, and whether trying again can help. */

/** Trying again does not help: the URL, the package or the folder has to be put right first. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
}

/** The server, or the way to it, is away: trying again may help. */
export class SourceAway extends Error {
  override readonly name = 'SourceAway';
}
