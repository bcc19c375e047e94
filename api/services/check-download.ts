/** Checks the downloads of a create request: each must be allowed, and no two may have the same name. */
import type { UrlPolicy } from '../../plugins/addresses/url-policy';
import { noSourceAllowed } from '../../plugins/downloads/package-sources';
import { parsePackageUrl } from '../../plugins/downloads/package-url';
import type { FieldError } from '../problems/problem';
import type { CreateSessionBody } from '../schemas/session-schemas';

export interface DownloadRules {
  readonly policy: UrlPolicy;
  /** False: the setting that lists allowed addresses of packages is empty. */
  readonly isAllowed: boolean;
}

/** All faults at once. */
export const checkDownload = ({ download = [] }: CreateSessionBody, rules: DownloadRules): FieldError[] => {
  if (download.length === 0) return [];
  if (!rules.isAllowed) return [{ pointer: '/download', message: noSourceAllowed }];
  const seen = new Map<string, number>();
  return download.flatMap((url, index) => {
    const parsed = parsePackageUrl(url, rules.policy);
    const pointer = `/download/${index}`;
    if (parsed.kind === 'refused') return [{ pointer, message: parsed.because }];
    const { fileName, extract } = parsed.found;
    // Packages are unpacked beside each other; other files lie under their own names.
    const key = extract === undefined ? fileName.toLowerCase() : `package ${parsed.found.url}`;
    const other = seen.get(key);
    seen.set(key, index);
    return other === undefined ? [] : [{ pointer, message: `has the same file name as /download/${other}` }];
  });
};
