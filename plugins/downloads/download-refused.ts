/** The failure of a download, which says whether another attempt can help. */

/** Another attempt does not help: somebody has to correct the URL, the package or the folder first. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
}

/** The server, or the network to it, is down: another attempt may help. */
export class SourceAway extends Error {
  override readonly name = 'SourceAway';
}
