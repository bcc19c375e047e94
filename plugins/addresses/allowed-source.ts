/** An entry of the allow-list: an address from which packages may come. */

/** A URL without query, whose host may begin with `*.`. It allows itself and everything under its path. */
export interface AllowedSource {
  readonly protocol: 'http:' | 'https:';
  /** The host without `*.`, normalised as URLs are: lower case, numbers as dotted IPv4. */
  readonly hostname: string;
  readonly anySubdomain: boolean;
  /** Empty for the protocol's default port. */
  readonly port: string;
  readonly path: string;
}

const wildcard = /^(https?:\/\/)\*\./i;

const isPlain = (url: URL): boolean => [url.username, url.password, url.search, url.hash].join('') === '';

/** @returns undefined when the text is not a valid entry */
export const parseAllowedSource = (text: string): AllowedSource | undefined => {
  const anySubdomain = wildcard.test(text);
  const plain = text.replace(wildcard, '$1');
  if (/[*\s\\]/.test(plain) || !URL.canParse(plain)) return undefined;
  const url = new URL(plain);
  const { protocol, hostname, port, pathname: path } = url;
  if ((protocol !== 'http:' && protocol !== 'https:') || !isPlain(url)) return undefined;
  return { protocol, hostname, anySubdomain, port, path };
};

const isHostOf = ({ hostname, anySubdomain }: AllowedSource, given: string): boolean =>
  anySubdomain ? given.endsWith(`.${hostname}`) : given === hostname;

const isUnderPath = ({ path }: AllowedSource, given: string): boolean =>
  given === path || given.startsWith(path.endsWith('/') ? path : `${path}/`);

export const allows = (source: AllowedSource, url: URL): boolean =>
  url.protocol === source.protocol &&
  url.port === source.port &&
  isHostOf(source, url.hostname) &&
  isUnderPath(source, url.pathname);
